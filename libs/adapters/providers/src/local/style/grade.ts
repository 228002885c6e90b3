import type { Picture } from '../picture/picture.ts';
import { colourStatistics } from './colour-statistics.ts';
import { transferColours } from './colour-transfer.ts';
import { pictureOfMood, type Mood } from './moods.ts';
import type { Style } from './style.ts';

/** Gives a picture the colours of a style reference, of a mood, or of the one with a touch of the other. */
export function grade(
  picture: Picture,
  alpha: Uint8Array | null,
  to: {
    readonly style: Style | null;
    readonly mood: Mood | null;
    /** 0..1. */
    readonly styleAmount: number;
    readonly moodAmount: number;
  },
): Picture {
  let graded = picture;
  if (to.style) {
    graded = transferColours(graded, colourStatistics(graded, alpha), to.style.statistics, to.styleAmount);
  }
  if (to.mood) {
    const target = colourStatistics(pictureOfMood(to.mood));
    graded = transferColours(graded, colourStatistics(graded, alpha), target, to.moodAmount);
  }
  return graded;
}
