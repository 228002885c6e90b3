import { outputSize } from '../output-size.ts';
import { readPicture, sourceSize } from '../picture/files.ts';
import type { Picture } from '../picture/picture.ts';
import { paletteOf, type Palette } from './colours.ts';

/** The features of a style reference that are applied. */
export interface Style {
  readonly picture: Picture;
  readonly palette: Palette;
}

const STYLE_SIZES = { smallest: 48, largest: 384, multiple: 1, pixels: 320 * 320, longSide: 384 };

export async function readStyle(file: string): Promise<Style> {
  const size = outputSize({}, await sourceSize(file, 'style reference'), STYLE_SIZES);
  const { picture, alpha } = await readPicture(file, 'style reference', size);
  return { picture, palette: paletteOf(picture, alpha) };
}
