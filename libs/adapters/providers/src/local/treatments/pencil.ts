import { flowField, smearAlongFlow } from '../picture/flow-field.ts';
import { whiteNoise } from '../picture/noise.ts';
import { blankPicture, clamp, mixColours, setColour, smoothstep } from '../picture/picture.ts';
import { kuwahara } from './kuwahara.ts';
import { contours } from './lines.ts';
import { inkColour, paperColour, paperTooth } from './paper.ts';
import type { Treatment } from './treatment.ts';

/** Coloured pencil: strokes along the forms, denser where the picture is dark, over the tooth of the paper. */
export const pencil: Treatment = (picture, { unit, seed, palette, surface }) => {
  const { width, height } = picture;
  const field = flowField(picture, { smoothing: 16 * unit, seed, drift: surface.direction });
  const smooth = kuwahara(picture, Math.max(1.2, 3.5 * unit));
  const strokes = smearAlongFlow(
    whiteNoise(width, height, seed),
    width,
    height,
    field,
    Math.max(4, 15 * unit),
  );
  const lines = contours(picture, field, Math.max(0.8, 1.7 * unit), 1.3);
  const tooth = paperTooth(width, height, unit, seed + 2);
  const paper = paperColour(palette);
  const lead = inkColour(palette);
  const result = blankPicture(width, height);
  // Averages of white noise lie close to the middle: spread out to about -1..1 again.
  const lift = 6.5;
  for (let i = 0; i < smooth.l.length; i++) {
    const stroke = (strokes[i]! - 0.5) * lift + tooth[i]! * 0.55;
    const pressure = 1.15 - smooth.l[i]!;
    const covered = smoothstep(0.62, -0.62, stroke - (pressure - 0.5) * 2.3);
    const pigment = {
      l: clamp(smooth.l[i]! * 0.86 - 0.02, 0.1, 1),
      a: smooth.a[i]! * 1.25,
      b: smooth.b[i]! * 1.25,
    };
    const line = (1 - lines[i]!) * clamp(0.85 + stroke * 0.25, 0, 1);
    setColour(result, i, mixColours(mixColours(paper, pigment, covered), lead, line * 0.8));
  }
  return result;
};
