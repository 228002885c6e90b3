import type { Picture } from '../picture/picture.ts';
import type { Palette } from '../style/palette.ts';
import type { SurfaceTexture } from '../style/texture.ts';

export interface TreatmentSetting {
  /** Pixels that look like one in a picture of 1024 × 1024: marks keep their size relative to the picture. */
  readonly unit: number;
  readonly palette: Palette;
  readonly surface: SurfaceTexture;
  readonly seed: number;
}

/** Redraws a picture with some technique; the result has the same size. */
export type Treatment = (picture: Picture, setting: TreatmentSetting) => Picture;
