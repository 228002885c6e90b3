import { colourFromHex } from '../picture/oklab.ts';
import { blankPicture, type Picture } from '../picture/picture.ts';
import { createRandom } from '../picture/random.ts';
import { paletteColour, type Palette } from './palette.ts';

/** Six colours each, darkest first. */
const MOODS = {
  day: ['#1d2b33', '#35606b', '#5e9bb0', '#9cc8d4', '#e3dfc4', '#fbf4e2'],
  sunset: ['#221336', '#5b2a5e', '#a63c5c', '#e2714a', '#f6b25f', '#fde9bd'],
  night: ['#060a17', '#0f1a38', '#1c2f5b', '#35538a', '#7391c1', '#f1e9cf'],
  cool: ['#0a1f2e', '#124559', '#2a7f9e', '#62b6cb', '#a8d8e4', '#eef8f7'],
  forest: ['#10201a', '#1f3d2b', '#3f6b3f', '#7d9b4e', '#bccb86', '#f1f0d2'],
  autumn: ['#23130e', '#5c2a18', '#a04a1e', '#d9822b', '#ecb75d', '#f8e9c8'],
  desert: ['#2e1a1c', '#6d3b32', '#b0643f', '#d79b62', '#ebc994', '#f9efdb'],
  neon: ['#0b0620', '#2a0f5c', '#6d1bb0', '#e0289a', '#2fd0e6', '#f7f0ff'],
  pastel: ['#6b6a8c', '#9c93bd', '#d0a8c6', '#f1c3bd', '#f9dfc4', '#fdf8ee'],
  noir: ['#0b0b0d', '#232326', '#4a4a4d', '#7f7f82', '#bcbcbd', '#f4f4f2'],
  sepia: ['#20150d', '#45301f', '#755536', '#a88359', '#d4b68c', '#f5e8cf'],
  bloom: ['#27172e', '#6b2b55', '#c2457a', '#ef7f8d', '#f5b9a8', '#fbeee0'],
} as const;

export type Mood = keyof typeof MOODS;

export const MOOD_NAMES = Object.keys(MOODS) as Mood[];

export function moodPalette(mood: Mood): Palette {
  return MOODS[mood].map((hex) => ({ ...colourFromHex(hex), share: 1 / 6 }));
}

/** Moods of which the dark colours take more room than the light ones. */
const DARK_MOODS: readonly Mood[] = ['night', 'neon', 'noir'];

/**
 * A picture with a mood's colours, for use as a style reference: lightness runs through its palette, and each
 * lightness comes in the hues of its neighbours too.
 */
export function pictureOfMood(mood: Mood): Picture {
  const palette = moodPalette(mood);
  const weight = DARK_MOODS.includes(mood) ? 2.2 : 1;
  const random = createRandom(1);
  const side = 64;
  const picture = blankPicture(side, side);
  for (let i = 0; i < side * side; i++) {
    const position = (i / (side * side - 1)) ** weight;
    const hue = paletteColour(palette, position + (random() - 0.5) * 0.3);
    picture.l[i] = paletteColour(palette, position).l;
    picture.a[i] = hue.a;
    picture.b[i] = hue.b;
  }
  return picture;
}
