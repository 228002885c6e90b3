import { describe, expect, it } from '@jest/globals';
import { cellOfHex, colorDistances, NEAR_COLOR } from './nearness.ts';

describe('the distances of colours', () => {
  const fromRed = colorDistances([cellOfHex('#ff0000')]);

  it.each(['#ff0000', '#f01008', '#e81010', '#ff2020'])('are near from red to %s', (hex) => {
    expect(fromRed[cellOfHex(hex)]).toBeLessThanOrEqual(NEAR_COLOR);
  });

  it.each(['#ff8800', '#800000', '#ff00ff', '#ffffff', '#00ff00'])('are not near from red to %s', (hex) => {
    expect(fromRed[cellOfHex(hex)]).toBeGreaterThan(NEAR_COLOR);
  });

  it('are those of the nearest of several colours, and the greatest of none', () => {
    const both = colorDistances([cellOfHex('#ff0000'), cellOfHex('#0000ff')]);
    expect(both[cellOfHex('#0000ff')]).toBe(0);
    expect(both[cellOfHex('#ff0000')]).toBe(0);
    expect(colorDistances([])[0]).toBe(255);
  });
});
