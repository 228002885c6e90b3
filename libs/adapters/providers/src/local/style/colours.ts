import { clamp, mapPlanes, meanOf, mix, type Colour, type Picture } from '../picture/picture.ts';

/** The colours of a picture. */
export interface Palette {
  /** The mean colours of equally large groups of pixels, darkest first: shadows often have another tint than lights. */
  readonly colours: readonly Colour[];
  /** The standard deviations of the colour differences from these means. */
  readonly spread: readonly [light: number, blue: number, red: number];
}

/** The number of colours of a picture's palette. */
export const GROUPS = 32;
const TONES = 1024;
/** The number of sampled pixels. */
const SAMPLES = 50_000;

/** @param alpha pixels with less than half of full opacity do not count, unless there are no others */
export function paletteOf(picture: Picture, alpha: Uint8Array | null = null): Palette {
  const [lights, blues, reds] = picture.planes;
  // Odd, so that samples do not fall on the same columns of every row.
  const step = Math.floor(lights.length / SAMPLES) | 1;
  const pixels: Colour[] = [];
  for (let i = 0; i < lights.length; i += step) {
    if (!alpha || alpha[i]! > 127) pixels.push([lights[i]!, blues[i]!, reds[i]!]);
  }
  if (pixels.length === 0) return paletteOf(picture);
  pixels.sort(([one], [other]) => one - other);
  const groups = Array.from({ length: GROUPS }, (_, group) => {
    const start = Math.floor((group * pixels.length) / GROUPS);
    return pixels.slice(start, Math.max(start + 1, Math.floor(((group + 1) * pixels.length) / GROUPS)));
  });
  const colours = groups.map(meanColour);
  const variance = meanColour(groups.flatMap((group, i) => group.map((colour) => squaresOf(colour, colours[i]!))));
  return { colours, spread: [Math.sqrt(variance[0]), Math.sqrt(variance[1]), Math.sqrt(variance[2])] };
}

function meanColour(colours: readonly Colour[]): Colour {
  const mean = (axis: 0 | 1 | 2) => colours.reduce((sum, colour) => sum + colour[axis], 0) / colours.length;
  return [mean(0), mean(1), mean(2)];
}

function squaresOf(one: Colour, other: Colour): Colour {
  return [(one[0] - other[0]) ** 2, (one[1] - other[1]) ** 2, (one[2] - other[2]) ** 2];
}

/** The colour at a position between the darkest (0) and the lightest (1) part of a picture. */
export function colourAt({ colours }: Palette, position: number): Colour {
  const place = clamp(position, 0, 1) * (colours.length - 1);
  const [below, above] = [colours[Math.floor(place)]!, colours[Math.ceil(place)]!];
  const component = (axis: 0 | 1 | 2) => mix(below[axis], above[axis], place % 1);
  return [component(0), component(1), component(2)];
}

/** The mean distance of the colours of equally light parts. */
export function paletteDistance(one: Palette, other: Palette): number {
  const distances = Array.from({ length: GROUPS }, (_, group) => {
    const [from, to] = [colourAt(one, group / (GROUPS - 1)), colourAt(other, group / (GROUPS - 1))];
    // Differences of colour have a smaller range than differences of lightness.
    return Math.hypot(from[0] - to[0], 2 * (from[1] - to[1]), 2 * (from[2] - to[2]));
  });
  return meanOf(distances);
}

/** `one` at share 0, `other` at share 1. Both have the same number of colours. */
export function mixPalettes(one: Palette, other: Palette, share: number): Palette {
  const mixed = (from: Colour, to: Colour): Colour => [
    mix(from[0], to[0], share),
    mix(from[1], to[1], share),
    mix(from[2], to[2], share),
  ];
  const colours = one.colours.map((colour, i) => mixed(colour, other.colours[i]!));
  return { colours, spread: mixed(one.spread, other.spread) };
}

/**
 * Gives a picture the colours and tones of another one: Reinhard et al. 2001, with two extensions. Lightness follows
 * the whole distribution instead of its mean and deviation, and the means of the colour differences are matched per
 * lightness. All gains are bounded, because smooth skies would break up otherwise.
 *
 * @param amount 0 keeps the picture as it is, 1 transfers fully
 */
export function transferColours(picture: Picture, alpha: Uint8Array | null, to: Palette, amount: number): Picture {
  const from = paletteOf(picture, alpha);
  const wanted = from.colours.map((_, group) => colourAt(to, group / (GROUPS - 1)));
  const tones = toneCurve(from.colours, wanted);
  const [light] = picture.planes;
  return mapPlanes(picture, (plane, axis) => {
    if (axis === 0) return plane.map((value) => mix(value, tones[toneOf(value)]!, amount));
    const given = tones.map((_, tone) => interpolate(from.colours, tone / TONES, axis));
    const tints = tones.map((tone) => interpolate(wanted, tone, axis));
    const gain = Math.min(2.2, to.spread[axis]! / Math.max(from.spread[axis]!, 0.003));
    return plane.map((value, i) => {
      const tone = toneOf(light[i]!);
      return mix(value, tints[tone]! + (value - given[tone]!) * gain, amount);
    });
  });
}

function toneOf(light: number): number {
  return clamp(Math.round(light * TONES), 0, TONES);
}

/** Output lightness by input lightness: matches the groups, outwards from the median with a slope of 0.3 to 2. */
function toneCurve(from: readonly Colour[], to: readonly Colour[]): Float32Array {
  const lightness = to.map(([light], group): Colour => [from[group]![0], light, 0]);
  const curve = Float32Array.from({ length: TONES + 1 }, (_, tone) => {
    const within = clamp(tone / TONES, from[0]![0], from.at(-1)![0]);
    return interpolate(lightness, within, 1) + tone / TONES - within;
  });
  const median = toneOf(from[GROUPS / 2]![0]);
  const rise = (value: number) => clamp(value, 0.3 / TONES, 2 / TONES);
  curve[median] = clamp(curve[median]!, 0.04, 0.96);
  for (let tone = median + 1; tone <= TONES; tone++) {
    curve[tone] = Math.min(1, curve[tone - 1]! + rise(curve[tone]! - curve[tone - 1]!));
  }
  for (let tone = median - 1; tone >= 0; tone--) {
    curve[tone] = Math.max(0, curve[tone + 1]! - rise(curve[tone + 1]! - curve[tone]!));
  }
  return curve;
}

/** The value on an axis at a lightness, between the colours next to it. */
function interpolate(colours: readonly Colour[], light: number, axis: number): number {
  const next = colours.findIndex((colour) => colour[0] > light);
  if (next <= 0) return colours.at(next)![axis]!;
  const [below, above] = [colours[next - 1]!, colours[next]!];
  return mix(below[axis]!, above[axis]!, (light - below[0]) / (above[0] - below[0]));
}
