import { describe, expect, it } from '@jest/globals';
import { kept, WHOLE, zoomed } from './zoom.ts';

const fingers = { x: 100, y: -50 };

describe('the zoom of a picture', () => {
  it('keeps the point between the fingers where it is', () => {
    expect(zoomed(WHOLE, 2, 6, { x: 0, y: 0 })).toEqual({ scale: 2, x: 0, y: 0 });
    expect(zoomed(WHOLE, 2, 6, fingers)).toEqual({ scale: 2, x: -100, y: 50 });
    expect(zoomed({ scale: 2, x: -100, y: 50 }, 0.5, 6, fingers)).toEqual({ scale: 1, x: 0, y: 0 });
  });

  it('is never less than the whole picture, and has an end', () => {
    expect(zoomed(WHOLE, 0.1, 6, fingers).scale).toBe(1);
    expect(zoomed(WHOLE, 100, 6, fingers).scale).toBe(6);
  });

  it('leaves no empty stage where the picture could be', () => {
    const stage = { width: 300, height: 600 };
    const picture = { width: 300, height: 200 };
    expect(kept({ scale: 2, x: 999, y: 999 }, picture, stage)).toEqual({ scale: 2, x: 150, y: 0 });
    expect(kept({ scale: 6, x: -999, y: -999 }, picture, stage)).toEqual({ scale: 6, x: -750, y: -300 });
    expect(kept({ scale: 1, x: 5, y: 5 }, picture, stage)).toEqual(WHOLE);
  });
});
