import { describe, expect, it } from '@jest/globals';
import { drawingOf, MAX_DRAWING_BYTES, MAX_STROKES } from './drawing.ts';

const stroke = (part: object = {}) => ({ color: '#c04030', width: 0.01, points: [[0, 1]], ...part });
/** A stroke whose drawing has so many bytes. */
const ofBytes = (bytes: number) => {
  const point = ',[0,0]';
  const rest = bytes - JSON.stringify([stroke({ points: [[0, 0]] })]).length;
  const points = Array.from({ length: 1 + Math.floor(rest / point.length) }, () => [0, 0]);
  // A longer number makes up for what no whole point fills.
  points[0] = [0, Number(`0.${'1'.repeat(rest % point.length)}`)];
  return [stroke({ points })];
};

describe('a drawing', () => {
  it('has strokes of a colour, a width and points, and nothing else', () => {
    const given = stroke({ color: '#C04030', name: '<b>' });
    expect(drawingOf([given])).toEqual([{ color: '#c04030', width: 0.01, points: [[0, 1]] }]);
    expect(drawingOf([stroke({ width: 0.1 })])).toHaveLength(1);
    expect([drawingOf(null), drawingOf([])]).toEqual([null, null]);
  });

  it('has at most 200 strokes', () => {
    expect(drawingOf(Array.from({ length: MAX_STROKES }, () => stroke()))).toHaveLength(MAX_STROKES);
    expect(() => drawingOf(Array.from({ length: MAX_STROKES + 1 }, () => stroke()))).toThrow('at most 200 strokes');
  });

  it('has at most 20,000 bytes', () => {
    const [small, large] = [MAX_DRAWING_BYTES, MAX_DRAWING_BYTES + 6].map((bytes) => ofBytes(bytes - (bytes % 6)));
    expect(JSON.stringify(small).length).toBeLessThanOrEqual(MAX_DRAWING_BYTES);
    expect(drawingOf(small!)).toEqual(small);
    expect(JSON.stringify(large).length).toBeGreaterThan(MAX_DRAWING_BYTES);
    expect(() => drawingOf(large!)).toThrow('at most 20000 bytes');
  });

  it.each([
    ['a color', stroke({ color: 'red' })],
    ['a color', stroke({ color: null })],
    ['a width', stroke({ width: 0 })],
    ['a width', stroke({ width: 0.11 })],
    ['a width', stroke({ width: '0.1' })],
    ['points', stroke({ points: [] })],
    ['points', stroke({ points: [[0, 1.01]] })],
    ['points', stroke({ points: [[-0.01, 0]] })],
    ['points', stroke({ points: [[0]] })],
    ['points', stroke({ points: [[0, NaN]] })],
    ['points', stroke({ points: 'M0 0' })],
    ['a color', [1, 2]],
  ])('without %s that is one is refused: %j', (what, given) => {
    expect(() => drawingOf([given])).toThrow(`drawing must have strokes of ${what}`);
  });
});
