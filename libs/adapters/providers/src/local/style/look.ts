import { blur, meanOf, type Picture } from '../picture/picture.ts';
import type { TechniqueName } from '../techniques.ts';
import { mixPalettes, paletteDistance, paletteOf, type Palette } from './colours.ts';
import { swatchesOf } from './swatches.ts';

/** The features that similar pictures share. */
export interface Look {
  /** The number of pictures. */
  readonly weight: number;
  readonly palette: Palette;
  /** The colours of the warmer and of the cooler pixels: a mean of both is grey. */
  readonly warm: Palette;
  readonly cool: Palette;
  /** The technique that resembles the pictures most. */
  readonly technique: TechniqueName;
  /** Pieces of the pictures with their surface; none when they are flat. */
  readonly swatches: readonly Picture[];
}

export const MAX_LOOKS = 6;
/** Palettes at a smaller distance differ by the motif only. */
const SAME_PALETTE = 0.08;
/** Swatches of a style of few pictures. Of many pictures, each has at most one. */
const SWATCHES = 12;

interface Surface {
  readonly deviation: number;
  readonly median: number;
  readonly skewness: number;
}

/** Below this median a picture is flat: its detail is the edges of the motif. */
const FLAT = 0.001;

/** @param count the number of pictures of the style */
export function lookOf(picture: Picture, alpha: Uint8Array | null, count: number): Look {
  const [, blues, reds] = picture.planes;
  const warmth = reds.map((red, i) => red - blues[i]!);
  const middle = meanOf(warmth);
  const half = (isWarm: boolean) =>
    paletteOf(
      picture,
      Uint8Array.from(warmth, (value, i) => (value > middle === isWarm ? (alpha?.[i] ?? 255) : 0)),
    );
  const surface = surfaceOf(picture);
  return {
    weight: 1,
    palette: paletteOf(picture, alpha),
    warm: half(true),
    cool: half(false),
    technique: techniqueOf(surface),
    swatches: surface.median < FLAT ? [] : swatchesOf(picture, Math.max(1, Math.floor(SWATCHES / count))),
  };
}

/**
 * Joins the looks of single pictures, the most similar ones first. Unlike looks stay apart, because the mean of unlike
 * colours is mud.
 */
export function joinLooks(looks: readonly Look[]): readonly Look[] {
  const nearest = nearestPair(looks);
  if (!nearest || (nearest.distance > SAME_PALETTE && looks.length <= MAX_LOOKS)) return looks;
  const { one, other } = nearest;
  return joinLooks([...looks.filter((look) => look !== one && look !== other), joined(one, other)]);
}

function nearestPair(looks: readonly Look[]) {
  const pairs = looks.flatMap((one, index) =>
    looks.slice(index + 1).map((other) => ({ one, other, distance: paletteDistance(one.palette, other.palette) })),
  );
  return pairs.sort((one, other) => one.distance - other.distance)[0];
}

function joined(one: Look, other: Look): Look {
  const weight = one.weight + other.weight;
  const mixed = (name: 'palette' | 'warm' | 'cool') => mixPalettes(one[name], other[name], other.weight / weight);
  return {
    weight,
    palette: mixed('palette'),
    warm: mixed('warm'),
    cool: mixed('cool'),
    technique: (one.weight < other.weight ? other : one).technique,
    swatches: [...one.swatches, ...other.swatches],
  };
}

/** Measures the fine detail of a picture. */
function surfaceOf({ planes: [light], width }: Picture): Surface {
  const smooth = blur(light, width, 1.5);
  const detail = light.map((value, i) => value - smooth[i]!);
  const deviation = Math.sqrt(meanOf(detail.map((value) => value ** 2)));
  const median = detail.map(Math.abs).sort()[detail.length >> 1]!;
  return { deviation, median, skewness: meanOf(detail.map((value) => value ** 3)) / deviation ** 3 };
}

/** Dark lines on light ground look like ink; a surface that is rough everywhere looks like oil. */
function techniqueOf({ deviation, median, skewness }: Surface): TechniqueName {
  if (deviation > 0.03 && skewness < -1.6) return 'ink';
  return median > 0.008 ? 'oil' : 'photo';
}
