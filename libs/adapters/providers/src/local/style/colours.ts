import { blankPicture, clamp, type Colour, type Picture } from '../picture/picture.ts';

const BANDS = 8;
const QUANTILES = 64;
const CURVE_STEPS = 256;
/** The number of pixels that are looked at. */
const SAMPLES = 100_000;

/** The distribution of a picture's colours. */
export interface ColourStatistics {
  /** The lightness below which 0/64, 1/64, … 64/64 of the picture lies. */
  readonly quantiles: readonly number[];
  readonly a: AxisStatistics;
  readonly b: AxisStatistics;
}

/** The distribution of one colour axis. */
interface AxisStatistics {
  /** The mean in each of eight bands of lightness, darkest first: shadows often have another tint than lights. */
  readonly means: readonly number[];
  /** The standard deviation from these means. */
  readonly spread: number;
}

/** @param alpha pixels with less than half of full opacity do not count, unless there are no others */
export function colourStatistics(picture: Picture, alpha: Uint8Array | null = null): ColourStatistics {
  const { l, a, b } = picture;
  // Odd, so that samples do not fall on the same columns of every row.
  const step = Math.floor(l.length / SAMPLES) | 1;
  const samples: number[] = [];
  for (let i = 0; i < l.length; i += step) if (!alpha || alpha[i]! > 127) samples.push(i);
  if (samples.length === 0) return colourStatistics(picture);
  const sorted = Float32Array.from(samples, (i) => l[i]!).sort();
  const quantiles = Array.from({ length: QUANTILES + 1 }, (_, quantile) =>
    interpolate(sorted, (quantile / QUANTILES) * (sorted.length - 1)),
  );
  return { quantiles, a: axisStatistics(samples, l, a), b: axisStatistics(samples, l, b) };
}

/** The mean colour at a position between the darkest (0) and the lightest (1) part of the picture. */
export function typicalColour({ quantiles, a, b }: ColourStatistics, position: number): Colour {
  const l = interpolate(quantiles, position * QUANTILES);
  return { l, a: atLightness(a.means, l), b: atLightness(b.means, l) };
}

/**
 * Gives a picture the colours and tones of another one: Reinhard et al. 2001 in Oklab, with two extensions. Lightness
 * follows the whole distribution instead of its mean and deviation, and the means of the colour axes are matched per
 * band of lightness. All gains are bounded, because smooth skies would break up otherwise.
 *
 * @param amount 0 keeps the picture as it is, 1 transfers fully
 */
export function transferColours(
  picture: Picture,
  alpha: Uint8Array | null,
  to: ColourStatistics,
  amount: number,
): Picture {
  const { l, a, b, width, height } = picture;
  const from = colourStatistics(picture, alpha);
  const result = blankPicture(width, height);
  const curve = toneCurve(from.quantiles, to.quantiles);
  const gainA = Math.min(2.2, to.a.spread / Math.max(from.a.spread, 0.003));
  const gainB = Math.min(2.2, to.b.spread / Math.max(from.b.spread, 0.003));
  for (let i = 0; i < l.length; i++) {
    const light = l[i]!;
    const tone = interpolate(curve, light * CURVE_STEPS);
    const targetA = atLightness(to.a.means, tone) + (a[i]! - atLightness(from.a.means, light)) * gainA;
    const targetB = atLightness(to.b.means, tone) + (b[i]! - atLightness(from.b.means, light)) * gainB;
    result.l[i] = light + (tone - light) * amount;
    result.a[i] = a[i]! + (targetA - a[i]!) * amount;
    result.b[i] = b[i]! + (targetB - b[i]!) * amount;
  }
  return result;
}

/** Output lightness by input lightness: matches the quantiles, outwards from the median with a slope of 0.3 to 2. */
function toneCurve(from: readonly number[], to: readonly number[]): number[] {
  let quantile = 0;
  const curve = Array.from({ length: CURVE_STEPS + 1 }, (_, step) => {
    const light = step / CURVE_STEPS;
    while (quantile < QUANTILES - 1 && from[quantile + 1]! < light) quantile++;
    const [low, high] = [from[quantile]!, from[quantile + 1]!];
    return interpolate(to, quantile + clamp((light - low) / Math.max(high - low, 1e-6), 0, 1));
  });
  const median = Math.round(clamp(from[QUANTILES / 2]!, 0, 1) * CURVE_STEPS);
  const rise = (value: number) => clamp(value, 0.3 / CURVE_STEPS, 2 / CURVE_STEPS);
  curve[median] = clamp(to[QUANTILES / 2]!, 0.04, 0.96);
  for (let step = median + 1; step <= CURVE_STEPS; step++) {
    curve[step] = Math.min(1, curve[step - 1]! + rise(curve[step]! - curve[step - 1]!));
  }
  for (let step = median - 1; step >= 0; step--) {
    curve[step] = Math.max(0, curve[step + 1]! - rise(curve[step + 1]! - curve[step]!));
  }
  return curve;
}

function axisStatistics(samples: readonly number[], l: Float32Array, axis: Float32Array): AxisStatistics {
  const sums = new Float64Array(BANDS);
  const counts = new Float64Array(BANDS);
  for (const i of samples) {
    const band = clamp((l[i]! * BANDS) | 0, 0, BANDS - 1);
    sums[band]! += axis[i]!;
    counts[band]!++;
  }
  const mean = sums.reduce((total, sum) => total + sum, 0) / samples.length;
  // A band with few pixels has no reliable mean of its own: it tends to the overall mean.
  const lean = samples.length * 0.03;
  const means = Array.from(sums, (sum, band) => (sum + lean * mean) / (counts[band]! + lean));
  const squares = samples.reduce((sum, i) => sum + (axis[i]! - atLightness(means, l[i]!)) ** 2, 0);
  return { means, spread: Math.sqrt(squares / samples.length) };
}

function atLightness(means: readonly number[], lightness: number): number {
  return interpolate(means, lightness * BANDS - 0.5);
}

function interpolate(table: ArrayLike<number>, position: number): number {
  const last = table.length - 1;
  if (position <= 0) return table[0]!;
  if (position >= last) return table[last]!;
  const below = position | 0;
  return table[below]! + (table[below + 1]! - table[below]!) * (position - below);
}
