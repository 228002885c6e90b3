import { flowField } from '../picture/flow-field.ts';
import { noisePlane } from '../picture/noise.ts';
import { blankPicture, clamp, mixColours, setColour, smoothstep } from '../picture/picture.ts';
import { blur } from '../picture/blur.ts';
import { createRandom, between } from '../picture/random.ts';
import { contours } from './lines.ts';
import { inkColour, paperColour } from './paper.ts';
import type { Treatment } from './treatment.ts';

/**
 * Copperplate: parallel lines that swell with darkness and lean with the relief, crossed by a second and third set
 * in the shadows, and the palette's ink and paper with a breath of the picture's own colour.
 */
export const engraving: Treatment = (picture, { unit, seed, palette, surface }) => {
  const { width, height } = picture;
  const random = createRandom(seed);
  const period = Math.max(3, 7.5 * unit * surface.coarseness);
  const field = flowField(picture, { smoothing: 8 * unit, seed, drift: surface.direction });
  const light = blur(picture.l, width, height, Math.max(0.6, 1.1 * unit));
  // The plate's lines are shifted by the picture's broad tones, as if they ran over its relief.
  const relief = blur(picture.l, width, height, Math.max(1, 9 * unit));
  const sway = noisePlane(width, height, { scale: 260 * unit, seed: seed + 7, octaves: 2 });
  const outline = contours(picture, field, Math.max(0.8, 1.6 * unit), 1.1);
  const angle = between(random, 0.15, 0.7) * (random() < 0.5 ? -1 : 1);
  const hatches = [
    { angle, from: 0.97, to: 0.18 },
    { angle: angle + 1.15, from: 0.52, to: 0.1 },
    { angle: angle - 0.62, from: 0.3, to: 0.04 },
  ].map((hatch) => ({ ...hatch, x: Math.sin(hatch.angle) / period, y: Math.cos(hatch.angle) / period }));
  const paper = paperColour(palette);
  const pen = inkColour(palette);
  const softness = 1.1 / period;
  const result = blankPicture(width, height);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let bare = outline[i]!;
      const shift = relief[i]! * 3.4 + sway[i]! * 5;
      for (const hatch of hatches) {
        const darkness = (hatch.from - light[i]!) / (hatch.from - hatch.to);
        if (darkness <= 0.04) continue;
        const phase = x * hatch.x + y * hatch.y + shift;
        const distance = Math.abs(phase - Math.floor(phase) - 0.5) * 2;
        const line = clamp(darkness, 0, 1) * 0.86;
        bare *= 1 - smoothstep(-softness, softness, line - distance);
      }
      const colour = { l: 0, a: picture.a[i]! * 0.6, b: picture.b[i]! * 0.6 };
      const tintedPen = { l: pen.l, a: pen.a * 0.6 + colour.a, b: pen.b * 0.6 + colour.b };
      const tintedPaper = { l: paper.l, a: paper.a + colour.a * 0.28, b: paper.b + colour.b * 0.28 };
      setColour(result, i, mixColours(tintedPen, tintedPaper, bare));
    }
  }
  return result;
};
