import { fractalNoise, noise } from '../picture/noise.ts';
import { blankPicture, mixColours, setColour } from '../picture/picture.ts';
import { between, createRandom } from '../picture/random.ts';
import { paletteColour } from '../style/palette.ts';
import { lightRelief, paintStroke, type Canvas } from '../treatments/brush-stroke.ts';
import type { Composition } from './composition.ts';

/** An abstract painting: brush strokes of the palette's colours that follow invisible currents. */
export const currents: Composition = ({ width, height, unit, palette, seed }) => {
  const random = createRandom(seed);
  const picture = blankPicture(width, height);
  const canvas: Canvas = { picture, relief: new Float32Array(width * height).fill(0.4) };
  const ground = paletteColour(palette, between(random, 0.1, 0.9));
  for (let i = 0; i < width * height; i++) setColour(picture, i, ground);
  const scale = unit * between(random, 330, 620);
  const turns = between(random, 3, 6.5);
  const area = (width * height) / (unit * unit);
  for (const layer of [
    { halfWidth: 34, strokes: area / 1600 },
    { halfWidth: 17, strokes: area / 1000 },
    { halfWidth: 7, strokes: area / 1500 },
  ]) {
    for (let stroke = 0; stroke < layer.strokes; stroke++) {
      const x = random() * width;
      const y = random() * height;
      const angle = noise(x / scale, y / scale, seed + 2) * turns;
      const halfLength = unit * layer.halfWidth * between(random, 3.2, 6.5);
      const ahead =
        noise(
          (x + Math.cos(angle) * halfLength) / scale,
          (y + Math.sin(angle) * halfLength) / scale,
          seed + 2,
        ) * turns;
      // Fields of colour, so that neighbours are kin, with a few strangers among them.
      const field = fractalNoise(x / (scale * 0.8), y / (scale * 0.8), seed + 9, 2);
      const place = random() < 0.12 ? random() : (field - 0.22) / 0.56 + between(random, -0.16, 0.16);
      const colour = paletteColour(palette, place);
      paintStroke(canvas, {
        x,
        y,
        angle,
        halfLength,
        halfWidth: unit * layer.halfWidth * between(random, 0.6, 1.15),
        bend: Math.max(-0.5, Math.min(0.5, (ahead - angle) * 0.4)) * halfLength,
        colour: mixColours(colour, { ...colour, l: random() }, 0.08),
        opacity: 0.95,
        bristle: random() * 512,
      });
    }
  }
  lightRelief(canvas, 0.1);
  return picture;
};
