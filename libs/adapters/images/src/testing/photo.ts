import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';

/**
 * Noise: no decoder can skip any of it.
 * It is the same in each run, because some formats have no checksum: what a decoder finds in changed bytes is chance.
 */
export function photo(width: number, height: number, seed = 'photo'): Sharp {
  const pixels = createHash('shake256', { outputLength: width * height * 3 })
    .update(seed)
    .digest();
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
