import type { Picture } from '../picture/picture.ts';
import type { Palette } from '../style/palette.ts';

export interface CompositionSetting {
  readonly width: number;
  readonly height: number;
  /** Pixels that look like one in a picture of 1024 × 1024. */
  readonly unit: number;
  readonly palette: Palette;
  readonly seed: number;
}

/** Invents a picture. */
export type Composition = (setting: CompositionSetting) => Picture;
