import { describe, expect, it } from '@jest/globals';
import { blankPicture, setColour } from '../picture/picture.ts';
import { MOOD_NAMES, moodPalette } from './moods.ts';
import { accentOf, chroma, paletteColour, paletteOf } from './palette.ts';

const NAVY = { l: 0.25, a: 0.0, b: -0.08 };
const GOLD = { l: 0.8, a: 0.02, b: 0.14 };

describe('a palette', () => {
  it('finds the colours of a picture and how much room each takes, darkest first', () => {
    const flag = blankPicture(40, 40);
    for (let i = 0; i < 1600; i++) setColour(flag, i, i % 4 === 0 ? GOLD : NAVY);
    const [dark, light] = paletteOf(flag, 2);
    for (const axis of ['l', 'a', 'b'] as const) {
      expect(dark![axis]).toBeCloseTo(NAVY[axis], 4);
      expect(light![axis]).toBeCloseTo(GOLD[axis], 4);
    }
    expect(dark!.share).toBeCloseTo(0.75, 2);
    expect(accentOf([dark!, light!])).toBe(light);
  });

  it('does not look at what is transparent', () => {
    const half = blankPicture(2, 1);
    setColour(half, 0, NAVY);
    setColour(half, 1, GOLD);
    for (const swatch of paletteOf(half, 3, Uint8Array.of(0, 255))) expect(swatch.l).toBeCloseTo(0.8, 4);
    expect(paletteOf(half, 3, Uint8Array.of(0, 0))).toHaveLength(1);
  });

  it.each(MOOD_NAMES)('of the mood %s runs from dark to light', (mood) => {
    const palette = moodPalette(mood);
    for (let i = 1; i < palette.length; i++) expect(palette[i]!.l).toBeGreaterThan(palette[i - 1]!.l);
    expect(paletteColour(palette, -1)).toMatchObject({ l: palette[0]!.l });
    expect(paletteColour(palette, 2)).toMatchObject({ l: palette.at(-1)!.l });
    if (mood === 'noir') for (const swatch of palette) expect(chroma(swatch)).toBeLessThan(0.02);
  });
});
