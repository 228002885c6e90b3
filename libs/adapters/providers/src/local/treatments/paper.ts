import { noisePlane } from '../picture/noise.ts';
import type { Colour } from '../picture/picture.ts';
import { accentOf, chroma, type Palette } from '../style/palette.ts';

/** A light sheet that leans towards the palette's lightest colour. */
export function paperColour(palette: Palette): Colour {
  const lightest = palette[palette.length - 1]!;
  const keep = Math.min(1, 0.035 / Math.max(chroma(lightest), 1e-6));
  return { l: 0.955, a: lightest.a * keep, b: lightest.b * keep };
}

/** A dark ink that leans towards the palette's darkest colour, or its accent where that one is black. */
export function inkColour(palette: Palette): Colour {
  const darkest = palette[0]!;
  const lean = chroma(darkest) > 0.02 ? darkest : accentOf(palette);
  const keep = Math.min(1, 0.07 / Math.max(chroma(lean), 1e-6));
  return { l: Math.min(0.26, Math.max(0.16, darkest.l)), a: lean.a * keep, b: lean.b * keep };
}

/** Unevenness of a sheet, about -1..1. */
export function paperTooth(width: number, height: number, unit: number, seed: number): Float32Array {
  const tooth = noisePlane(width, height, { scale: Math.max(1.2, 2.6 * unit), seed, octaves: 3 });
  for (let i = 0; i < tooth.length; i++) tooth[i] = (tooth[i]! - 0.5) * 2;
  return tooth;
}
