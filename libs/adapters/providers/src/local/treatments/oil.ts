import { blurPicture } from '../picture/blur.ts';
import { flowField, flowIndex, type FlowField } from '../picture/flow-field.ts';
import { clamp, colourAt, type Colour, type Picture } from '../picture/picture.ts';
import { between, createRandom, shuffledIndices, type Random } from '../picture/random.ts';
import { lightRelief, paintStroke, type Canvas } from './brush-stroke.ts';
import type { Treatment } from './treatment.ts';

/**
 * Oil on canvas, painted stroke by stroke (after Hertzmann 1998): broad strokes first, then finer ones where the
 * painting still differs from the picture. Strokes follow the edges and bend with them.
 */
export const oil: Treatment = (picture, { unit, seed, surface }) => {
  const random = createRandom(seed);
  const field = flowField(picture, { smoothing: 9 * unit, seed, drift: surface.direction });
  const canvas: Canvas = {
    picture: blurPicture(picture, Math.max(1, 5 * unit)),
    relief: new Float32Array(picture.l.length).fill(0.4),
  };
  const size = unit * surface.coarseness;
  const layers = [
    { halfWidth: 13 * size, tolerance: 0 },
    { halfWidth: 6.5 * size, tolerance: 0.035 },
    { halfWidth: 3.2 * size, tolerance: 0.045 },
  ];
  for (const layer of layers) {
    if (layer.halfWidth < 0.8) continue;
    paintLayer(canvas, picture, field, layer, random);
  }
  lightRelief(canvas, 0.11);
  return canvas.picture;
};

function paintLayer(
  canvas: Canvas,
  picture: Picture,
  field: FlowField,
  layer: { readonly halfWidth: number; readonly tolerance: number },
  random: Random,
): void {
  const { width, height } = picture;
  const spacing = layer.halfWidth * 1.25;
  const columns = Math.ceil(width / spacing);
  const rows = Math.ceil(height / spacing);
  for (const place of shuffledIndices(random, columns * rows)) {
    const x = ((place % columns) + random()) * spacing;
    const y = (Math.floor(place / columns) + random()) * spacing;
    const target = meanAround(picture, x, y, layer.halfWidth * 0.5);
    const index = Math.min(height - 1, y | 0) * width + Math.min(width - 1, x | 0);
    const tint = between(random, -1, 1);
    const bristle = random() * 512;
    const stretch = random();
    if (layer.tolerance > 0 && difference(target, colourAt(canvas.picture, index)) < layer.tolerance)
      continue;

    const flow = flowIndex(field, x, y);
    const halfLength = layer.halfWidth * (2 + 2.6 * field.coherence[flow]! * (0.6 + 0.8 * stretch));
    const angle = Math.atan2(field.y[flow]!, field.x[flow]!) + tint * 0.12;
    paintStroke(canvas, {
      x,
      y,
      angle,
      halfLength,
      halfWidth: layer.halfWidth * (0.75 + 0.5 * stretch),
      bend: bendAt(field, x, y, angle, halfLength),
      colour: {
        l: target.l + tint * 0.018,
        a: target.a * (1.06 + tint * 0.1),
        b: target.b * (1.06 - tint * 0.1),
      },
      opacity: 0.94,
      bristle,
    });
  }
}

/** How far the flow at the stroke's ends turns away from its middle. */
function bendAt(field: FlowField, x: number, y: number, angle: number, halfLength: number): number {
  const reach = halfLength * 0.7;
  const ahead = turnFrom(field, x + Math.cos(angle) * reach, y + Math.sin(angle) * reach, angle);
  const behind = turnFrom(field, x - Math.cos(angle) * reach, y - Math.sin(angle) * reach, angle);
  return clamp(((ahead - behind) / 2) * halfLength * 0.5, -halfLength * 0.4, halfLength * 0.4);
}

/** The angle from `angle` to the flow's line at a place, -π/2..π/2. */
function turnFrom(field: FlowField, x: number, y: number, angle: number): number {
  const flow = flowIndex(field, x, y);
  const turn = Math.atan2(field.y[flow]!, field.x[flow]!) - angle;
  return turn - Math.PI * Math.round(turn / Math.PI);
}

/** The mean of nine places around a point, `reach` pixels apart. */
function meanAround({ width, height, l, a, b }: Picture, x: number, y: number, reach: number): Colour {
  const mean = { l: 0, a: 0, b: 0 };
  for (let down = -reach; down <= reach; down += reach) {
    const row = clamp(Math.round(y + down), 0, height - 1) * width;
    for (let across = -reach; across <= reach; across += reach) {
      const i = row + clamp(Math.round(x + across), 0, width - 1);
      mean.l += l[i]! / 9;
      mean.a += a[i]! / 9;
      mean.b += b[i]! / 9;
    }
  }
  return mean;
}

function difference(one: Colour, other: Colour): number {
  return Math.abs(one.l - other.l) + Math.abs(one.a - other.a) + Math.abs(one.b - other.b);
}
