import sharp from 'sharp';
import { rgbFromPicture } from './oklab.ts';
import type { Picture } from './picture.ts';

/** Writes a WebP file: small, with opacity, shown by every browser; always the same bytes for the same picture. */
export async function writePicture(picture: Picture, alpha: Uint8Array | null, file: string): Promise<void> {
  const { width, height } = picture;
  const colours = rgbFromPicture(picture);
  const image = sharp(colours, { raw: { width, height, channels: 3 } });
  if (alpha) image.joinChannel(Buffer.from(alpha.buffer), { raw: { width, height, channels: 1 } });
  await image.webp({ quality: 90, effort: 2 }).toFile(file);
}
