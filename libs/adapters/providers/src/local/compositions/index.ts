import { MOOD_NAMES, type Mood } from '../style/moods.ts';
import { city } from './city.ts';
import type { Composition } from './composition.ts';
import { currents } from './currents.ts';
import { lake, ridges } from './ridges.ts';
import { sea } from './sea.ts';
import { shapes } from './shapes.ts';
import { space } from './space.ts';

interface Subject {
  readonly paint: Composition;
  /** Moods that it is seen in when the prompt names none. */
  readonly moods: readonly Mood[];
}

export const compositions = {
  ridges: { paint: ridges, moods: ['day', 'sunset', 'cool', 'forest', 'autumn', 'desert', 'pastel'] },
  lake: { paint: lake, moods: ['day', 'sunset', 'night', 'cool', 'forest', 'autumn', 'pastel'] },
  sea: { paint: sea, moods: ['day', 'sunset', 'night', 'cool', 'pastel'] },
  city: { paint: city, moods: ['sunset', 'night', 'neon', 'cool', 'noir'] },
  space: { paint: space, moods: ['night', 'neon', 'cool', 'sunset', 'bloom'] },
  currents: { paint: currents, moods: MOOD_NAMES },
  shapes: { paint: shapes, moods: MOOD_NAMES },
} satisfies Record<string, Subject>;

export type CompositionName = keyof typeof compositions;
