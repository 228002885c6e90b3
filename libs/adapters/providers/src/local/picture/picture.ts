/** A picture as three Oklab planes: lightness 0..1, and the green-red and blue-yellow axes around 0. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly l: Float32Array;
  readonly a: Float32Array;
  readonly b: Float32Array;
}

/** A colour in Oklab. */
export interface Colour {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

export const PLANES = ['l', 'a', 'b'] as const;

/** The number of pixels that correspond to one pixel at 1024 × 1024: brush marks scale with the picture. */
export function unitOf({ width, height }: Pick<Picture, 'width' | 'height'>): number {
  return Math.sqrt(width * height) / 1024;
}

export function mapPlanes(picture: Picture, change: (plane: Float32Array) => Float32Array): Picture {
  return { ...picture, l: change(picture.l), a: change(picture.a), b: change(picture.b) };
}

export function blankPicture(width: number, height: number): Picture {
  const plane = () => new Float32Array(width * height);
  return { width, height, l: plane(), a: plane(), b: plane() };
}

/** Draws `colour` over one pixel with opacity `alpha`. */
export function coverPixel(picture: Picture, index: number, colour: Colour, alpha: number): void {
  picture.l[index]! += (colour.l - picture.l[index]!) * alpha;
  picture.a[index]! += (colour.a - picture.a[index]!) * alpha;
  picture.b[index]! += (colour.b - picture.b[index]!) * alpha;
}

export function mixColours(from: Colour, to: Colour, amount: number): Colour {
  return {
    l: from.l + (to.l - from.l) * amount,
    a: from.a + (to.a - from.a) * amount,
    b: from.b + (to.b - from.b) * amount,
  };
}

/** `from` at amount 0, `to` at amount 1. */
export function mixPlanes(from: Float32Array, to: Float32Array, amount: number): Float32Array {
  const mixed = new Float32Array(from.length);
  for (let i = 0; i < mixed.length; i++) mixed[i] = from[i]! + (to[i]! - from[i]!) * amount;
  return mixed;
}

export function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** 0 below `from`, 1 above `to`, an S-curve in between. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
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
