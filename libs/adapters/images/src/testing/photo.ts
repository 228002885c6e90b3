import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';

/**
 * Noise, of which no decoder can skip any. It is the same in each run: in a format without a checksum, whether changed
 * bytes can still be decoded depends on the pixels.
 */
export function photo(width: number, height: number, seed = 'photo'): Sharp {
  const pixels = createHash('shake256', { outputLength: width * height * 3 })
    .update(seed)
    .digest();
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
