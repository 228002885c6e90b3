import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IMAGE_SIZES, outputSize, VIDEO_SIZES, type SizeRules } from './output-size.ts';
import { readPrompt, seedOf } from './prompt.ts';

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

  it.each<[string, { width?: number; height?: number }, [number, number] | null, SizeRules, [number, number]]>([
    ['keeps the shape of the source for a width', { width: 300 }, [4000, 3000], IMAGE_SIZES, [300, 225]],
    ['keeps the shape of the source for a height', { height: 300 }, [4000, 3000], IMAGE_SIZES, [400, 300]],
    ['is a square megapixel by default', {}, null, IMAGE_SIZES, [1024, 1024]],
    ['is square without a source', { height: 200 }, null, IMAGE_SIZES, [200, 200]],
    ['is that of a source that is neither large nor small', {}, [800, 600], IMAGE_SIZES, [800, 600]],
    ['is that of a source of 720p', {}, [1280, 720], VIDEO_SIZES, [1280, 720]],
    ['is about a megapixel for a larger source', {}, [4000, 3000], IMAGE_SIZES, [1182, 887]],
    ['is visible for a tiny source', {}, [16, 16], IMAGE_SIZES, [512, 512]],
  ])('%s', (_, requested, source, rules, [width, height]) => {
    const shape = source && { width: source[0], height: source[1] };
    expect(outputSize(requested, shape, rules)).toEqual({ width, height });
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

describe('a prompt', () => {
  it.each([
    ['A SKETCH of a snowy mountain lake; zoom in', { technique: 'ink', mood: 'winter', camera: 'closer' }],
    ['oil, night, left', { technique: 'oil', mood: 'night', camera: 'left' }],
    ...[null, '', 'pinkish boiling nightmare', 'un perro 🐕'].map(
      (prompt) => [prompt, { technique: null, mood: null, camera: null }] as const,
    ),
  ])('%p is matched by whole words, and leaves open what it does not name', (prompt, reading) => {
    expect(readPrompt(prompt)).toEqual(reading);
  });

  it('varies with every letter and seed, but not with case or surrounding space', () => {
    expect(new Set([seedOf('a dog', 1), seedOf('a dot', 1), seedOf('a dog', 2)]).size).toBe(3);
    expect(seedOf(' A Dog ', 1)).toBe(seedOf('a dog', 1));
    expect(seedOf('', 1)).toBe(seedOf(null, 1));
  });
});
