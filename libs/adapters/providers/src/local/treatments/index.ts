import { engraving } from './engraving.ts';
import { film } from './film.ts';
import { halftone } from './halftone.ts';
import { ink } from './ink.ts';
import { mosaic } from './mosaic.ts';
import { oil } from './oil.ts';
import { pencil } from './pencil.ts';
import type { Treatment } from './treatment.ts';
import { watercolor } from './watercolor.ts';

export const treatments = {
  oil,
  watercolor,
  ink,
  pencil,
  engraving,
  halftone,
  mosaic,
  film,
} satisfies Record<string, Treatment>;

export type TreatmentName = keyof typeof treatments;
export type { Treatment, TreatmentSetting } from './treatment.ts';
