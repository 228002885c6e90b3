import { describe, expect, it } from '@jest/globals';
import { blur } from './blur.ts';

describe('a blur', () => {
  it.each([0.5, 1, 3, 40])('leaves an even plane even, at sigma %d', (sigma) => {
    const blurred = blur(new Float32Array(12 * 7).fill(0.4), 12, 7, sigma);
    for (const value of blurred) expect(value).toBeCloseTo(0.4, 5);
  });

  it('spreads a point as widely as it was told, and loses nothing of it', () => {
    const side = 101;
    const plane = new Float32Array(side * side);
    plane[50 * side + 50] = 1;
    const blurred = blur(plane, side, side, 6);
    let total = 0;
    let variance = 0;
    for (let i = 0; i < blurred.length; i++) {
      total += blurred[i]!;
      variance += blurred[i]! * ((i % side) - 50) ** 2;
    }
    expect(total).toBeCloseTo(1, 3);
    expect(Math.sqrt(variance)).toBeCloseTo(6, 0);
  });

  it('works on planes that are smaller than it reaches', () => {
    expect([...blur(Float32Array.of(0, 1), 2, 1, 20)].every((value) => value > 0.3 && value < 0.7)).toBe(
      true,
    );
  });
});
