import { describe, expect, it } from '@jest/globals';
import type { Mark } from './drawing.ts';
import { NO_SIDES, type Point } from './geometry.ts';
import { commandOf, planOf, strokeOutline } from './outlines.ts';

const size = { width: 400, height: 300 };

function stroke(points: readonly number[], part: { readonly isPen?: boolean; readonly isErasing?: boolean } = {}) {
  return { kind: 'stroke', size: 40, isPen: false, isErasing: false, points, ...part } as const;
}

/** The height of an outline at x. */
function heightAt(outline: readonly Point[], x: number): number {
  const near = outline.filter((point) => Math.abs(point.x - x) < 12).map(({ y }) => y);
  return Math.max(...near) - Math.min(...near);
}

const line = (pressure: (at: number) => number) =>
  Array.from({ length: 41 }, (_, at) => [100 + at * 5, 150, pressure(at)]).flat();

describe('a stroke', () => {
  it('of a mouse is as wide as the brush everywhere', () => {
    const outline = strokeOutline(stroke(line(() => 0.5)));
    for (const x of [120, 200, 280]) expect(heightAt(outline, x)).toBeCloseTo(40, 0);
  });

  it('of a pen is wider where the pen presses', () => {
    const pressed = line((at) => (at < 20 ? 0.1 : 1));
    const outline = strokeOutline(stroke(pressed, { isPen: true }));
    expect(heightAt(outline, 280)).toBeGreaterThan(heightAt(outline, 130) * 1.5);
  });

  it('reaches its last point, where it is round', () => {
    const xs = strokeOutline(stroke(line(() => 0.5))).map(({ x }) => x);
    expect(Math.max(...xs)).toBeCloseTo(320, 0);
    expect(Math.min(...xs)).toBeCloseTo(80, 0);
  });

  it('of one point is a dot', () => {
    const outline = strokeOutline(stroke([50, 60, 0.5]));
    const far = outline.map(({ x, y }) => Math.hypot(x - 50, y - 60));
    expect(outline.length).toBeGreaterThan(8);
    expect(Math.max(...far)).toBeLessThan(22);
    expect(Math.min(...far)).toBeGreaterThan(18);
  });
});

describe('the plan of a mask', () => {
  const rect = { x: 10, y: 20, width: 30, height: 40 };

  it('fills and erases outlines in the order of the marks', () => {
    const marks: Mark[] = [
      { kind: 'rectangle', isErasing: false, rect },
      { kind: 'lasso', isErasing: true, points: [0, 0, 10, 0, 10, 10] },
      { kind: 'invert' },
      { kind: 'object', isErasing: false, url: 'mask' },
    ];
    const plan = planOf({ marks, feather: 6, sides: NO_SIDES }, size);
    const outlineOf = (...points: [x: number, y: number][]) => ({
      isSmooth: false,
      outline: points.map(([x, y]) => ({ x, y })),
    });
    expect(plan.commands).toEqual([
      { op: 'fill', ...outlineOf([10, 20], [40, 20], [40, 60], [10, 60]) },
      { op: 'erase', ...outlineOf([0, 0], [10, 0], [10, 10]) },
      { op: 'invert' },
      { op: 'fill', url: 'mask' },
    ]);
    expect(plan).toMatchObject({ feather: 6, picture: null, frame: { x: 0, y: 0, ...size } });
  });

  it('is as large as the extended picture, and white around the old one', () => {
    const plan = planOf({ marks: [], feather: 0, sides: { ...NO_SIDES, left: 100, bottom: 50 } }, size);
    expect(plan.frame).toEqual({ x: -100, y: 0, width: 500, height: 350 });
    expect(plan.picture).toEqual({ x: 0, y: 0, width: 400, height: 300 });
  });

  it('computes the outline of a stroke once', () => {
    const mark = stroke(line(() => 0.5));
    expect(commandOf(mark)[0]).toBe(commandOf(mark)[0]);
  });
});
