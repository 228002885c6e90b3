import { describe, expect, it } from '@jest/globals';
import {
  clipped,
  extended,
  fitted,
  frameOf,
  inSight,
  isExtended,
  middlePart,
  NO_SIDES,
  nudged,
  panned,
  pinched,
  pulled,
  rectBetween,
  sidesAt,
  sidesFor,
  toPicture,
  toScreen,
  zoomed,
} from './geometry.ts';

const view = { scale: 0.5, x: 10, y: 20 };
const rect = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });
const picture = rect(0, 0, 400, 300);
const point = (x: number, y: number) => ({ x, y });

describe('the view', () => {
  it('says where a point of the picture is on the screen, and back', () => {
    expect(toScreen(view, point(100, 40))).toEqual(point(60, 40));
    expect(toPicture(view, point(60, 40))).toEqual(point(100, 40));
  });

  it('shows the whole picture in the middle, small ones at most three times as large', () => {
    expect(fitted(picture, { width: 248, height: 1000 }, 24)).toEqual({ scale: 0.5, x: 24, y: 425 });
    expect(fitted(rect(0, 0, 10, 10), { width: 500, height: 500 }).scale).toBe(3);
    const wide = fitted(rect(-100, 0, 500, 300), { width: 548, height: 348 });
    expect(toScreen(wide, point(-100, 0))).toEqual(point(24, 24));
  });

  it('zooms around the pointer, within limits', () => {
    const near = zoomed(view, point(60, 40), 2);
    expect(near.scale).toBe(1);
    expect(toPicture(near, point(60, 40))).toEqual(point(100, 40));
    expect(zoomed(view, point(0, 0), 1000).scale).toBe(32);
    expect(zoomed(view, point(0, 0), 0.0001).scale).toBe(0.02);
  });

  it('follows two fingers that move and spread', () => {
    const before = [point(100, 100), point(200, 100)] as const;
    const moved = pinched(view, before, [point(110, 130), point(210, 130)]);
    expect(moved).toEqual(panned(view, point(10, 30)));
    const spread = pinched(view, before, [point(50, 100), point(250, 100)]);
    expect(spread.scale).toBe(1);
    expect(toPicture(spread, point(150, 100))).toEqual(toPicture(view, point(150, 100)));
    expect(pinched(view, [point(5, 5), point(5, 5)], [point(6, 5), point(9, 5)]).scale).toBe(view.scale);
  });

  it('keeps an edge of the picture in sight', () => {
    const box = { width: 300, height: 300 };
    expect(inSight(view, picture, box)).toEqual(view);
    expect(inSight({ ...view, x: 5000 }, picture, box).x).toBe(300 - 48);
    expect(inSight({ ...view, x: -5000 }, picture, box).x).toBe(48 - 200);
  });
});

describe('the frame', () => {
  const size = { width: 400, height: 300 };

  it('is the picture, with what is added to its sides', () => {
    expect(frameOf(size, NO_SIDES)).toEqual(picture);
    expect(frameOf(size, { left: 10, top: 20, right: 30, bottom: 40 })).toEqual(rect(-10, -20, 440, 360));
    expect(isExtended(NO_SIDES)).toBe(false);
    expect(isExtended({ ...NO_SIDES, top: 1 })).toBe(true);
  });

  it('is held at the side that the pointer is near, at two at a corner, within reach', () => {
    expect(sidesAt(picture, point(10, 150), 10)).toEqual(['left']);
    expect(sidesAt(picture, point(11, 150), 10)).toEqual([]);
    expect(sidesAt(picture, point(405, 295), 10)).toEqual(['right', 'bottom']);
    expect(sidesAt(picture, point(200, 0), 10)).toEqual(['top']);
    expect(sidesAt(picture, point(0, 320), 10)).toEqual([]);
  });

  it('is pulled outwards at the sides that are held', () => {
    const sides = { left: 5, top: 5, right: 5, bottom: 5 };
    expect(pulled(sides, ['left', 'bottom'], point(-20, 7))).toEqual({ left: 25, bottom: 12 });
    expect(pulled(sides, ['right', 'top'], point(-20, 7))).toEqual({ right: -15, top: -2 });
  });

  it('grows by whole pixels, never less than none', () => {
    expect(extended(size, NO_SIDES, { left: 12.4, top: -3 })).toEqual({ ...NO_SIDES, left: 12 });
    expect(extended(size, { ...NO_SIDES, top: 5 }, { left: Number.NaN })).toEqual({ ...NO_SIDES, top: 5 });
  });

  it('grows to 50 megapixels, and not beyond', () => {
    const large = { width: 5000, height: 9000 };
    expect(extended(large, NO_SIDES, { bottom: 1000 })).toEqual({ ...NO_SIDES, bottom: 1000 });
    expect(extended(large, NO_SIDES, { bottom: 1001 })).toEqual(NO_SIDES);
    expect(extended({ width: 16_000, height: 10 }, NO_SIDES, { right: 384 }).right).toBe(384);
    expect(extended({ width: 16_000, height: 10 }, NO_SIDES, { right: 385 }).right).toBe(0);
  });

  it('reaches a shape by the least that has to be added, the same on both sides', () => {
    expect(sidesFor(size, 1)).toEqual({ ...NO_SIDES, top: 50, bottom: 50 });
    expect(sidesFor(size, 16 / 9)).toEqual({ ...NO_SIDES, left: 66, right: 67 });
    expect(sidesFor(size, 4 / 3)).toEqual(NO_SIDES);
  });
});

describe('a rectangle', () => {
  it('lies between two corners, whichever comes first', () => {
    expect(rectBetween(point(30, 10), point(10, 40))).toEqual(rect(10, 10, 20, 30));
  });

  it('ends at the edge of the picture, and is nothing beyond', () => {
    expect(clipped(rect(-10.4, 250.2, 50, 100), picture)).toEqual(rect(0, 250, 40, 50));
    expect(clipped(rect(400, 0, 10, 10), picture)).toBeNull();
    expect(clipped(rect(5, 5, 0.2, 10), picture)).toBeNull();
  });

  it('by keys begins in the middle, moves and grows, and stays on the picture', () => {
    const start = middlePart(picture);
    expect(start).toEqual(rect(150, 113, 100, 75));
    expect(nudged(start, point(10, -10), picture)).toEqual({ ...start, x: 160, y: 103 });
    expect(nudged(start, point(-999, 999), picture)).toEqual({ ...start, x: 0, y: 225 });
    expect(nudged(start, point(5, -5), picture, 'size')).toEqual({ ...start, width: 105, height: 70 });
    expect(nudged(start, point(999, -999), picture, 'size')).toEqual({ ...start, width: 250, height: 1 });
  });
});
