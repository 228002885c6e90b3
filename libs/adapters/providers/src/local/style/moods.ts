import { pictureFromRgb, type Colour } from '../picture/picture.ts';
import type { Palette } from './colours.ts';

/** Six colours each, darkest first. */
const MOODS = {
  day: '1d2b33 35606b 5e9bb0 9cc8d4 e3dfc4 fbf4e2',
  sunset: '221336 5b2a5e a63c5c e2714a f6b25f fde9bd',
  night: '060a17 0f1a38 15234a 1c2f5b 35538a f1e9cf',
  winter: '0a1f2e 124559 2a7f9e 62b6cb a8d8e4 eef8f7',
  forest: '10201a 1f3d2b 3f6b3f 7d9b4e bccb86 f1f0d2',
  autumn: '23130e 5c2a18 a04a1e d9822b ecb75d f8e9c8',
  noir: '0b0b0d 232326 4a4a4d 7f7f82 bcbcbd f4f4f2',
} as const;

export type Mood = keyof typeof MOODS;

export const MOOD_NAMES = Object.keys(MOODS) as Mood[];

/** The colours of a mood, for use like those of a style reference. */
export function moodPalette(mood: Mood): Palette {
  const pixels = Buffer.from(MOODS[mood].replaceAll(' ', ''), 'hex');
  const [light, blue, red] = pictureFromRgb(pixels, pixels.length / 3, 1).planes;
  const colours = Array.from(light, (value, i): Colour => [value, blue[i]!, red[i]!]);
  // Each lightness also occurs in other hues than that of its one colour.
  const spread = mood === 'noir' ? 0 : 0.04;
  return { colours, spread: [0, spread, spread] };
}
