import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IMAGE_SIZES, outputSize, VIDEO_SIZES } from './output-size.ts';

const side = fc.integer({ min: 1, max: 20_000 });
const sides = fc.record({ width: side, height: side });

describe('the size of an output', () => {
  it('is what was asked for', () => {
    const allowed = fc.integer({ min: 64, max: 2048 });
    fc.assert(
      fc.property(allowed, allowed, fc.option(sides), (width, height, source) => {
        expect(outputSize({ width, height }, source, IMAGE_SIZES)).toEqual({ width, height });
      }),
    );
  });

  it('keeps the shape of the source when one side was asked for', () => {
    expect(outputSize({ width: 300 }, { width: 4000, height: 3000 }, IMAGE_SIZES)).toEqual({ width: 300, height: 225 });
    expect(outputSize({ height: 300 }, { width: 4000, height: 3000 }, IMAGE_SIZES)).toEqual({
      width: 400,
      height: 300,
    });
  });

  it('is square without a source', () => {
    expect(outputSize({}, null, IMAGE_SIZES)).toEqual({ width: 1024, height: 1024 });
    expect(outputSize({ height: 200 }, null, IMAGE_SIZES)).toEqual({ width: 200, height: 200 });
  });

  it('is that of the source when nothing was asked for and it is neither large nor small', () => {
    expect(outputSize({}, { width: 800, height: 600 }, IMAGE_SIZES)).toEqual({ width: 800, height: 600 });
    expect(outputSize({}, { width: 1280, height: 720 }, VIDEO_SIZES)).toEqual({ width: 1280, height: 720 });
  });

  it('is about a megapixel for a larger source, and visible for a tiny one', () => {
    const { width, height } = outputSize({}, { width: 4000, height: 3000 }, IMAGE_SIZES);
    expect(width / height).toBeCloseTo(4 / 3, 2);
    expect(width * height).toBeCloseTo(1024 * 1024, -4);
    expect(outputSize({}, { width: 16, height: 16 }, IMAGE_SIZES)).toEqual({ width: 512, height: 512 });
  });

  it.each([IMAGE_SIZES, VIDEO_SIZES])('is within the rules whatever the source', (rules) => {
    fc.assert(
      fc.property(sides, (source) => {
        for (const length of Object.values(outputSize({}, source, rules))) {
          expect(length).toBeGreaterThanOrEqual(rules.smallest);
          expect(length).toBeLessThanOrEqual(rules.largest);
          expect(length % rules.multiple).toBe(0);
        }
      }),
    );
  });
});
