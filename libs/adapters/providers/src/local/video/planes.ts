import type { Size } from '../output-size.ts';

/** A picture in BT.709: luma 16..235, and two colour differences 16..240 at half the size. */
export type Planes = readonly Float32Array[];

/** Converts three bytes per pixel. Both sides are even. */
export function planesFromRgb(pixels: Uint8Array, { width, height }: Size): Planes {
  const y = new Float32Array(width * height);
  const u = new Float32Array(y.length / 4);
  const v = new Float32Array(y.length / 4);
  for (let i = 0, p = 0; i < y.length; i++, p += 3) {
    const [red, green, blue] = [pixels[p]!, pixels[p + 1]!, pixels[p + 2]!];
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const place = (Math.floor(i / width) >> 1) * (width / 2) + ((i % width) >> 1);
    y[i] = 16 + (luma * 219) / 255;
    u[place]! += (128 + ((blue - luma) * 224) / 255 / 1.8556) / 4;
    v[place]! += (128 + ((red - luma) * 224) / 255 / 1.5748) / 4;
  }
  return [y, u, v];
}
