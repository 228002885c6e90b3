import { blankPicture, clamp, smoothstep, type Picture } from '../picture/picture.ts';
import { atLightness, type ColourStatistics, type Covariance } from './colour-statistics.ts';

const STEPS = 256;

/**
 * Gives a picture the colours and tones of another one.
 *
 * Reinhard et al. 2001 match mean and deviation of each axis of a perceptual space. This does the same in Oklab
 * and goes three steps further: lightness follows the whole distribution, not just its first two moments; the
 * colour axes are matched together, by the linear map that moves one covariance to the other with the least
 * change (Pitié and Kokaram 2007), which never swaps hues; and their means are matched at each step of lightness,
 * so that cool shadows under warm lights arrive as such. All gains are bounded, or smooth skies would break up.
 *
 * @param amount 0 leaves the picture as it is, 1 carries over all of it
 */
export function transferColours(
  picture: Picture,
  from: ColourStatistics,
  to: ColourStatistics,
  amount: number,
): Picture {
  const { l, a, b, width, height } = picture;
  const result = blankPicture(width, height);
  const tones = toneCurve(from, to);
  const map = leastChangeMap(from.covariance, to.covariance);
  for (let i = 0; i < l.length; i++) {
    const lightness = clamp(l[i]!, 0, 1);
    const position = lightness * STEPS;
    const step = position | 0;
    const tone =
      step >= STEPS ? tones[STEPS]! : tones[step]! + (tones[step + 1]! - tones[step]!) * (position - step);
    const da = a[i]! - atLightness(from.bandA, lightness);
    const db = b[i]! - atLightness(from.bandB, lightness);
    const keep = amount * (1 - 0.5 * skinLikeness(lightness, a[i]!, b[i]!));
    result.l[i] = lightness + (tone - lightness) * amount;
    result.a[i] = a[i]! + (map.aa * da + map.ab * db + atLightness(to.bandA, tone) - a[i]!) * keep;
    result.b[i] = b[i]! + (map.ab * da + map.bb * db + atLightness(to.bandB, tone) - b[i]!) * keep;
  }
  return result;
}

/** Lightness out for lightness in, at `STEPS` + 1 places: between matching quantiles and matching mean and spread. */
function toneCurve(from: ColourStatistics, to: ColourStatistics): Float64Array {
  const gain = clamp(to.lightnessSpread / Math.max(from.lightnessSpread, 0.02), 0.5, 1.8);
  const curve = new Float64Array(STEPS + 1);
  let quantile = 0;
  const last = from.quantiles.length - 1;
  for (let step = 0; step <= STEPS; step++) {
    const lightness = step / STEPS;
    while (quantile < last - 1 && from.quantiles[quantile + 1]! < lightness) quantile++;
    const low = from.quantiles[quantile]!;
    const high = from.quantiles[quantile + 1]!;
    const within = clamp((lightness - low) / Math.max(high - low, 1e-6), 0, 1);
    const matched =
      to.quantiles[quantile]! + (to.quantiles[quantile + 1]! - to.quantiles[quantile]!) * within;
    const linear = to.meanLightness + (lightness - from.meanLightness) * gain;
    curve[step] = 0.6 * matched + 0.4 * linear;
  }
  return boundSlope(curve, Math.round(from.meanLightness * STEPS));
}

/** Starts at the mean and walks outwards: no step rises by less than a third or more than twice of what it did. */
function boundSlope(curve: Float64Array, middle: number): Float64Array {
  const least = 0.3 / STEPS;
  const most = 2 / STEPS;
  const bounded = new Float64Array(curve.length);
  bounded[middle] = clamp(curve[middle]!, 0.04, 0.96);
  for (let step = middle + 1; step < curve.length; step++) {
    const before = bounded[step - 1]!;
    bounded[step] = Math.min(1, before + clamp(curve[step]! - before, least, most));
  }
  for (let step = middle - 1; step >= 0; step--) {
    const after = bounded[step + 1]!;
    bounded[step] = Math.max(0, after - clamp(after - curve[step]!, least, most));
  }
  return bounded;
}

/** The symmetric matrix T with T·from·T = to, its gains bounded. */
function leastChangeMap(from: Covariance, to: Covariance): Covariance {
  const floor = 1e-5;
  const source = { aa: from.aa + floor, ab: from.ab, bb: from.bb + floor };
  const root = mapEigenvalues(source, Math.sqrt);
  const inverse = mapEigenvalues(source, (value) => 1 / Math.sqrt(value));
  const middle = mapEigenvalues(sandwich(root, to), (value) => Math.sqrt(Math.max(0, value)));
  return mapEigenvalues(sandwich(inverse, middle), (gain) => clamp(gain, 0, 2.2));
}

/** outer · inner · outer, all symmetric. */
function sandwich(outer: Covariance, inner: Covariance): Covariance {
  const left = outer.aa * inner.aa + outer.ab * inner.ab;
  const leftB = outer.aa * inner.ab + outer.ab * inner.bb;
  const right = outer.ab * inner.aa + outer.bb * inner.ab;
  const rightB = outer.ab * inner.ab + outer.bb * inner.bb;
  return {
    aa: left * outer.aa + leftB * outer.ab,
    ab: left * outer.ab + leftB * outer.bb,
    bb: right * outer.ab + rightB * outer.bb,
  };
}

function mapEigenvalues(matrix: Covariance, change: (value: number) => number): Covariance {
  const angle = 0.5 * Math.atan2(2 * matrix.ab, matrix.aa - matrix.bb);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const centre = (matrix.aa + matrix.bb) / 2;
  const half = Math.hypot((matrix.aa - matrix.bb) / 2, matrix.ab);
  const first = change(centre + half);
  const second = change(centre - half);
  return {
    aa: first * cos * cos + second * sin * sin,
    ab: (first - second) * cos * sin,
    bb: first * sin * sin + second * cos * cos,
  };
}

/** 1 in the middle of the narrow range of hue and chroma where skin of any darkness lies, 0 outside of it. */
function skinLikeness(lightness: number, a: number, b: number): number {
  if (a <= 0 || b <= 0 || lightness < 0.2) return 0;
  const chroma = Math.sqrt(a * a + b * b);
  // tan(hue) between 31° and 66°, by its comfortable stand-in b / (a + b).
  const lean = b / (a + b);
  return (
    smoothstep(0.36, 0.44, lean) *
    (1 - smoothstep(0.6, 0.7, lean)) *
    smoothstep(0.02, 0.04, chroma) *
    (1 - smoothstep(0.14, 0.19, chroma))
  );
}
