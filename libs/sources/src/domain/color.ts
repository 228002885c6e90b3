/**
 * Colours in 32,768 cells, five bits each of red, green and blue, and their distances as eyes see them: in the space OKLab
 * of B. Ottosson (2020), where 0.02 is just noticeable and black and white are 1 apart.
 */
export const COLOR_CELLS = 32_768;

type Lab = readonly [lightness: number, a: number, b: number];

/** @param channels 0..255 */
export function cellOf(red: number, green: number, blue: number): number {
  return ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);
}

/** The inverse of `cellOf`: black and white stay what they are. */
export function rgbOf(cell: number): readonly [red: number, green: number, blue: number] {
  const channel = (shift: number): number => {
    const bits = (cell >> shift) & 31;
    return (bits << 3) | (bits >> 2);
  };
  return [channel(10), channel(5), channel(0)];
}

export function colorDistance(cell: number, other: number): number {
  const labs = allLabs();
  const [from, to] = [cell * 3, other * 3];
  const lightness = labs[from]! - labs[to]!;
  const a = labs[from + 1]! - labs[to + 1]!;
  const b = labs[from + 2]! - labs[to + 2]!;
  // A search compares some hundred thousand pairs: `Math.hypot` takes several times as long.
  return Math.sqrt(lightness * lightness + a * a + b * b);
}

let computed: Float32Array | null = null;

/** Computed once, in some milliseconds, by the first process that compares colours. */
function allLabs(): Float32Array {
  if (computed) return computed;
  const labs = new Float32Array(COLOR_CELLS * 3);
  for (let cell = 0; cell < COLOR_CELLS; cell++) labs.set(labOf(rgbOf(cell)), cell * 3);
  return (computed = labs);
}

function labOf(rgb: readonly number[]): Lab {
  const [red, green, blue] = rgb.map(linear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
