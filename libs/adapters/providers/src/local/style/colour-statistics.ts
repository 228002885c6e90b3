import type { Picture } from '../picture/picture.ts';

const BANDS = 8;
const QUANTILES = 64;
/** Enough pixels to know the whole by. */
const SAMPLES = 200_000;

/** How a picture's colours are spread: what a colour transfer carries over. */
export interface ColourStatistics {
  /** Lightness below which 0/64, 1/64, … 64/64 of the picture lies. */
  readonly quantiles: Float64Array;
  readonly meanLightness: number;
  /** Standard deviation of lightness. */
  readonly lightnessSpread: number;
  /** The mean hue and chroma at each of eight steps of lightness, darkest first: shadows often lean elsewhere than lights. */
  readonly bandA: Float64Array;
  readonly bandB: Float64Array;
  /** Covariance of the colour axes about those means. */
  readonly covariance: Covariance;
}

export interface Covariance {
  readonly aa: number;
  readonly ab: number;
  readonly bb: number;
}

/** `weights`, one a pixel, tells how much each counts (transparent ones not at all). */
export function colourStatistics(picture: Picture, weights?: Uint8Array | null): ColourStatistics {
  const { l, a, b } = picture;
  // Odd, so as not to fall on the same columns of every row.
  const step = Math.floor(l.length / SAMPLES) | 1;
  const histogram = new Float64Array(1024);
  const bandWeight = new Float64Array(BANDS);
  const bandA = new Float64Array(BANDS);
  const bandB = new Float64Array(BANDS);
  let total = 0;
  let sum = 0;
  let squares = 0;
  let sumA = 0;
  let sumB = 0;
  for (let i = 0; i < l.length; i += step) {
    const weight = weights ? weights[i]! : 1;
    if (weight === 0) continue;
    const lightness = l[i]!;
    histogram[binOf(lightness, 1024)]! += weight;
    total += weight;
    sum += lightness * weight;
    squares += lightness * lightness * weight;
    sumA += a[i]! * weight;
    sumB += b[i]! * weight;
    const band = binOf(lightness, BANDS);
    bandWeight[band]! += weight;
    bandA[band]! += a[i]! * weight;
    bandB[band]! += b[i]! * weight;
  }
  if (total === 0) return NEUTRAL;
  const mean = sum / total;
  // A step with few pixels says little of its own: it leans on the mean of the whole.
  const lean = total * 0.03;
  for (let band = 0; band < BANDS; band++) {
    bandA[band] = (bandA[band]! + (lean * sumA) / total) / (bandWeight[band]! + lean);
    bandB[band] = (bandB[band]! + (lean * sumB) / total) / (bandWeight[band]! + lean);
  }
  let aa = 0;
  let ab = 0;
  let bb = 0;
  for (let i = 0; i < l.length; i += step) {
    const weight = weights ? weights[i]! : 1;
    if (weight === 0) continue;
    const da = a[i]! - atLightness(bandA, l[i]!);
    const db = b[i]! - atLightness(bandB, l[i]!);
    aa += da * da * weight;
    ab += da * db * weight;
    bb += db * db * weight;
  }
  return {
    quantiles: quantilesOf(histogram, total),
    meanLightness: mean,
    lightnessSpread: Math.sqrt(Math.max(0, squares / total - mean * mean)),
    bandA,
    bandB,
    covariance: { aa: aa / total, ab: ab / total, bb: bb / total },
  };
}

/** A table over the steps of lightness, read between its entries. */
export function atLightness(table: Float64Array, lightness: number): number {
  const position = lightness * BANDS - 0.5;
  if (position <= 0) return table[0]!;
  if (position >= BANDS - 1) return table[BANDS - 1]!;
  const below = position | 0;
  return table[below]! + (table[below + 1]! - table[below]!) * (position - below);
}

function binOf(lightness: number, bins: number): number {
  const bin = (lightness * bins) | 0;
  return bin < 0 ? 0 : bin >= bins ? bins - 1 : bin;
}

function quantilesOf(histogram: Float64Array, total: number): Float64Array {
  const quantiles = new Float64Array(QUANTILES + 1);
  let below = 0;
  let bin = 0;
  for (let quantile = 0; quantile <= QUANTILES; quantile++) {
    const wanted = (total * quantile) / QUANTILES;
    while (bin < histogram.length - 1 && below + histogram[bin]! < wanted) below += histogram[bin++]!;
    const within = histogram[bin]! > 0 ? Math.min(1, (wanted - below) / histogram[bin]!) : 0;
    quantiles[quantile] = (bin + within) / histogram.length;
  }
  return quantiles;
}

/** What a picture without a single visible pixel counts as. */
const NEUTRAL: ColourStatistics = {
  quantiles: Float64Array.from({ length: QUANTILES + 1 }, (_, i) => i / QUANTILES),
  meanLightness: 0.5,
  lightnessSpread: 0.25,
  bandA: new Float64Array(BANDS),
  bandB: new Float64Array(BANDS),
  covariance: { aa: 0, ab: 0, bb: 0 },
};
