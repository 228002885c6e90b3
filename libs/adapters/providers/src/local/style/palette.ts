import { colourAt, type Colour, type Picture } from '../picture/picture.ts';

export interface Swatch extends Colour {
  /** The part of the whole that it stands for, 0..1. */
  readonly share: number;
}

/** A few colours that stand for many, darkest first. */
export type Palette = readonly Swatch[];

const SAMPLES = 4096;
const ROUNDS = 12;

/** The `count` main colours of a picture: k-means in Oklab on a few thousand of its pixels, started without chance. */
export function paletteOf(picture: Picture, count: number, weights?: Uint8Array | null): Palette {
  const samples = samplesOf(picture, weights);
  if (samples.length === 0) return [{ l: 0.5, a: 0, b: 0, share: 1 }];
  let centres = spreadOut(samples, count);
  let shares: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sums = centres.map(() => ({ l: 0, a: 0, b: 0, count: 0 }));
    for (const sample of samples) {
      const sum = sums[nearest(centres, sample)]!;
      sum.l += sample.l;
      sum.a += sample.a;
      sum.b += sample.b;
      sum.count++;
    }
    centres = sums.map((sum, i) =>
      sum.count === 0 ? centres[i]! : { l: sum.l / sum.count, a: sum.a / sum.count, b: sum.b / sum.count },
    );
    shares = sums.map((sum) => sum.count / samples.length);
  }
  return centres.map((centre, i) => ({ ...centre, share: shares[i]! })).sort((one, other) => one.l - other.l);
}

/** The colour that lies `position` (0..1) of the way from the darkest to the lightest. */
export function paletteColour(palette: Palette, position: number): Colour {
  const place = Math.min(Math.max(position, 0), 1) * (palette.length - 1);
  const below = Math.min(Math.floor(place), palette.length - 1);
  const from = palette[below]!;
  const to = palette[Math.min(below + 1, palette.length - 1)]!;
  const t = place - below;
  return {
    l: from.l + (to.l - from.l) * t,
    a: from.a + (to.a - from.a) * t,
    b: from.b + (to.b - from.b) * t,
  };
}

/** The most colourful swatch. */
export function accentOf(palette: Palette): Colour {
  return palette.reduce((best, swatch) => (chroma(swatch) > chroma(best) ? swatch : best));
}

export function chroma(colour: Colour): number {
  return Math.hypot(colour.a, colour.b);
}

function samplesOf(picture: Picture, weights?: Uint8Array | null): Colour[] {
  const samples: Colour[] = [];
  const step = Math.max(1, picture.l.length / SAMPLES);
  for (let place = 0; place < picture.l.length; place += step) {
    const index = Math.floor(place);
    if (!weights || weights[index]! > 127) samples.push(colourAt(picture, index));
  }
  return samples;
}

/** First the sample of middle lightness, then always the one farthest from those taken. */
function spreadOut(samples: readonly Colour[], count: number): Colour[] {
  const sorted = [...samples].sort((one, other) => one.l - other.l);
  const taken: Colour[] = [sorted[sorted.length >> 1]!];
  const distances = samples.map((sample) => distance(sample, taken[0]!));
  while (taken.length < count) {
    let farthest = 0;
    for (let i = 1; i < samples.length; i++) if (distances[i]! > distances[farthest]!) farthest = i;
    const next = samples[farthest]!;
    taken.push(next);
    for (let i = 0; i < samples.length; i++)
      distances[i] = Math.min(distances[i]!, distance(samples[i]!, next));
  }
  return taken;
}

function nearest(centres: readonly Colour[], colour: Colour): number {
  let best = 0;
  let least = Infinity;
  for (let i = 0; i < centres.length; i++) {
    const far = distance(centres[i]!, colour);
    if (far < least) {
      least = far;
      best = i;
    }
  }
  return best;
}

function distance(one: Colour, other: Colour): number {
  return (one.l - other.l) ** 2 + (one.a - other.a) ** 2 + (one.b - other.b) ** 2;
}
