import type { Picture } from '../picture/picture.ts';
import { readPicture, sourceSize } from '../picture/read-picture.ts';
import { colourStatistics, type ColourStatistics } from './colour-statistics.ts';
import { chroma, paletteOf, type Palette } from './palette.ts';
import { surfaceTexture, type SurfaceTexture } from './texture.ts';

/** Everything that is taken from a style reference. */
export interface Style {
  readonly picture: Picture;
  readonly statistics: ColourStatistics;
  readonly palette: Palette;
  readonly surface: SurfaceTexture;
  /** Whether it has next to no colour, as drawings and prints do. */
  readonly monochrome: boolean;
}

const LONG_SIDE = 384;
const SHORTEST = 48;

export async function readStyle(file: string): Promise<Style> {
  const source = await sourceSize(file, 'style reference');
  const scale = LONG_SIDE / Math.max(source.width, source.height);
  const { picture, alpha } = await readPicture(file, 'style reference', {
    width: Math.max(SHORTEST, Math.round(source.width * scale)),
    height: Math.max(SHORTEST, Math.round(source.height * scale)),
  });
  const palette = paletteOf(picture, 6, alpha);
  return {
    picture,
    statistics: colourStatistics(picture, alpha),
    palette,
    surface: surfaceTexture(picture),
    monochrome: palette.every((swatch) => chroma(swatch) < 0.025),
  };
}
