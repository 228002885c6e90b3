import { describe, expect, it } from '@jest/globals';
import { kept, scaled, WHOLE } from './zoom.ts';

describe('the zoom of a picture', () => {
  it('keeps the point between the fingers where it is', () => {
    expect(scaled(WHOLE, 2, 0, 0)).toEqual({ scale: 2, x: 0, y: 0 });
    expect(scaled(WHOLE, 2, 100, -50)).toEqual({ scale: 2, x: -100, y: 50 });
    expect(scaled({ scale: 2, x: -100, y: 50 }, 0.5, 100, -50)).toEqual({ scale: 1, x: 0, y: 0 });
  });

  it('is never less than the whole picture, and at most six times', () => {
    expect(scaled(WHOLE, 0.1, 10, 10).scale).toBe(1);
    expect(scaled(WHOLE, 100, 10, 10).scale).toBe(6);
  });

  it('leaves no empty stage where the picture could be', () => {
    const stage = { width: 300, height: 600 };
    const picture = { width: 300, height: 200 };
    expect(kept({ scale: 2, x: 999, y: 999 }, picture, stage)).toEqual({ scale: 2, x: 150, y: 0 });
    expect(kept({ scale: 6, x: -999, y: -999 }, picture, stage)).toEqual({ scale: 6, x: -750, y: -300 });
    expect(kept({ scale: 1, x: 5, y: 5 }, picture, stage)).toEqual(WHOLE);
  });
});
