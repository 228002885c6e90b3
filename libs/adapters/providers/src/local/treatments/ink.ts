import { flowField } from '../picture/flow-field.ts';
import { blankPicture, clamp, mixColours, setColour, smoothstep } from '../picture/picture.ts';
import { noisePlane } from '../picture/noise.ts';
import { kuwahara } from './kuwahara.ts';
import { contours } from './lines.ts';
import { inkColour, paperColour, paperTooth } from './paper.ts';
import type { Treatment } from './treatment.ts';

/** Pen and wash: contours in dark ink over a few flat, thin washes on toned paper. */
export const ink: Treatment = (picture, { unit, seed, palette, surface }) => {
  const { width, height } = picture;
  const size = unit * surface.coarseness;
  const field = flowField(picture, { smoothing: 7 * unit, seed, drift: surface.direction });
  const washes = kuwahara(picture, Math.max(1.5, 8 * size));
  const fine = contours(picture, field, Math.max(0.8, 1.5 * unit), 1);
  const bold = contours(washes, field, Math.max(1, 3.4 * size), 1.5);
  const tooth = paperTooth(width, height, unit, seed);
  const flood = noisePlane(width, height, { scale: 90 * unit, seed: seed + 3, octaves: 3 });
  const paper = paperColour(palette);
  const pen = inkColour(palette);
  const result = blankPicture(width, height);
  for (let i = 0; i < washes.l.length; i++) {
    const tone = steps(washes.l[i]! + (flood[i]! - 0.5) * 0.14, 4);
    const wash = { l: 0.34 + 0.62 * tone, a: washes.a[i]! * 0.95, b: washes.b[i]! * 0.95 };
    const covered = clamp(1.05 - 0.75 * tone + tooth[i]! * 0.1, 0.12, 1);
    const sheet = { l: paper.l + tooth[i]! * 0.018, a: paper.a, b: paper.b };
    const line = 1 - fine[i]! * bold[i]!;
    setColour(
      result,
      i,
      mixColours(mixColours(sheet, wash, covered), pen, clamp(line * (1 + tooth[i]! * 0.5), 0, 1)),
    );
  }
  return result;
};

/** Flattens a tone to `count` steps with soft borders between them. */
function steps(tone: number, count: number): number {
  const place = clamp(tone, 0, 1) * count;
  const below = Math.min(count - 1, Math.floor(place));
  return (below + smoothstep(0.38, 0.62, place - below)) / count;
}
