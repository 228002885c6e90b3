import { describe, expect, it } from '@jest/globals';
import { momentsOf, testPicture } from '../testing/test-pictures.ts';
import { planesFromRgb, sample, viewOf, type CameraMove } from './frames.ts';

const MOVES: CameraMove[] = ['closer', 'left', 'right', 'up', 'down'];
const plane = testPicture(1, { width: 102, height: 70 }).l;

describe.each(MOVES)('a camera that goes %s', (move) => {
  it('starts with the picture itself', () => {
    expect(sample(plane, 102, viewOf(move, 1, 0))).toEqual(plane);
  });

  it('moves steadily, and never leaves the picture', () => {
    let before = plane;
    for (const moment of [0.25, 0.5, 0.75, 1]) {
      const view = viewOf(move, 1, moment);
      expect(Math.abs(view.x) + 0.5 / view.zoom).toBeLessThanOrEqual(0.5);
      expect(Math.abs(view.y) + 0.5 / view.zoom).toBeLessThanOrEqual(0.5);
      const frame = sample(plane, 102, view);
      expect(momentsOf(frame.map((value, i) => Math.abs(value - before[i]!))).mean).toBeGreaterThan(0.005);
      before = frame;
    }
  });

  it('stands still at strength 0', () => {
    expect(sample(plane, 102, viewOf(move, 0, 1))).toEqual(plane);
  });
});

it('left and right are where the camera goes', () => {
  const ramp = Float32Array.from({ length: 100 }, (_, i) => i);
  const middle = (move: CameraMove) => sample(ramp, 100, viewOf(move, 1, 1))[50]!;
  expect(middle('right')).toBeGreaterThan(52);
  expect(middle('left')).toBeLessThan(48);
});

it('planes keep black, white and full colours within the range of video', () => {
  const planes = (...colour: number[]) => {
    const pixels = Uint8Array.from({ length: 12 }, (_, i) => colour[i % 3]!);
    return planesFromRgb(pixels, { width: 2, height: 2 }).map(([first]) => Math.round(first!));
  };
  expect(planes(0, 0, 0)).toEqual([16, 128, 128]);
  expect(planes(255, 255, 255)).toEqual([235, 128, 128]);
  expect(planes(255, 0, 0)[2]).toBe(240);
  expect(planes(0, 0, 255)[1]).toBe(240);
});
