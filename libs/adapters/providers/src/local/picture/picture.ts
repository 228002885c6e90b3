/** A colour as BT.709 luma, 0..1, and its blue and red colour differences around 0. */
export type Colour = readonly [light: number, blue: number, red: number];

/** A picture as one plane for each component of its colours. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly planes: readonly [light: Float32Array, blue: Float32Array, red: Float32Array];
}

/** `pixels` has 3 or 4 bytes per pixel; the fourth byte is ignored. */
export function pictureFromRgb(pixels: Uint8Array, width: number, height: number, channels = 3): Picture {
  const plane = () => new Float32Array(width * height);
  const [lights, blues, reds] = [plane(), plane(), plane()];
  for (let i = 0, p = 0; i < lights.length; i++, p += channels) {
    const [red, green, blue] = [pixels[p]! / 255, pixels[p + 1]! / 255, pixels[p + 2]! / 255];
    const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    lights[i] = light;
    blues[i] = (blue - light) / 1.8556;
    reds[i] = (red - light) / 1.5748;
  }
  return { width, height, planes: [lights, blues, reds] };
}

/** Three bytes per pixel. */
export function rgbFromPicture({ planes: [lights, blues, reds] }: Pick<Picture, 'planes'>): Buffer {
  const pixels = new Uint8ClampedArray(lights.length * 3);
  for (let i = 0, p = 0; i < lights.length; i++, p += 3) {
    const [light, blue, red] = [lights[i]! * 255, blues[i]! * 255, reds[i]! * 255];
    pixels[p] = light + 1.5748 * red;
    pixels[p + 1] = light - 0.1873 * blue - 0.4681 * red;
    pixels[p + 2] = light + 1.8556 * blue;
  }
  return Buffer.from(pixels.buffer);
}

/** A colour as `#rrggbb`. */
export function hexOf([light, blue, red]: Colour): string {
  const planes = [Float32Array.of(light), Float32Array.of(blue), Float32Array.of(red)] as const;
  return `#${rgbFromPicture({ planes }).toString('hex')}`;
}

/** The number of pixels that correspond to one pixel at 1024 × 1024: brush marks scale with the picture. */
export function unitOf({ width, height }: Pick<Picture, 'width' | 'height'>): number {
  return Math.sqrt(width * height) / 1024;
}

export function mapPlanes(picture: Picture, change: (plane: Float32Array, index: number) => Float32Array): Picture {
  const [light, blue, red] = picture.planes;
  return { ...picture, planes: [change(light, 0), change(blue, 1), change(red, 2)] };
}

/** `from` at amount 0, `to` at amount 1. */
export function mix(from: number, to: number, amount: number): number {
  return from + (to - from) * amount;
}

export function meanOf(values: Float32Array | readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/**
 * Approximates a Gaussian blur with standard deviation `sigma`: two rounds of exponential smoothing forwards and
 * backwards along both axes. The cost does not depend on `sigma`; libvips took 4 to 15 times as long.
 */
export function blur(plane: Float32Array, width: number, sigma: number): Float32Array {
  const result = plane.slice();
  const last = result.length - 1;
  // The variance of the four passes along one axis, 4k / (1 - k)², equals sigma².
  const half = 1 + 2 / (sigma * sigma);
  const keep = half - Math.sqrt(half * half - 1);
  for (let round = 0; round < 2; round++) {
    for (let start = 0; start <= last; start += width) {
      for (let i = start + 1; i < start + width; i++) result[i]! += (result[i - 1]! - result[i]!) * keep;
      for (let i = start + width - 2; i >= start; i--) result[i]! += (result[i + 1]! - result[i]!) * keep;
    }
    for (let i = width; i <= last; i++) result[i]! += (result[i - width]! - result[i]!) * keep;
    for (let i = last - width; i >= 0; i--) result[i]! += (result[i + width]! - result[i]!) * keep;
  }
  return result;
}
