import { blurPicture } from '../picture/blur.ts';
import { flowField, flowIndex, type FlowField } from '../picture/flow-field.ts';
import { clamp, type Picture } from '../picture/picture.ts';
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
    const target = blurPicture(picture, layer.halfWidth * 0.45);
    paintLayer(canvas, target, field, layer, random);
  }
  lightRelief(canvas, 0.11);
  return canvas.picture;
};

function paintLayer(
  canvas: Canvas,
  target: Picture,
  field: FlowField,
  layer: { readonly halfWidth: number; readonly tolerance: number },
  random: Random,
): void {
  const { width, height } = target;
  const spacing = layer.halfWidth * 1.25;
  const columns = Math.ceil(width / spacing);
  const rows = Math.ceil(height / spacing);
  for (const place of shuffledIndices(random, columns * rows)) {
    const x = ((place % columns) + random()) * spacing;
    const y = (Math.floor(place / columns) + random()) * spacing;
    const index = Math.min(height - 1, y | 0) * width + Math.min(width - 1, x | 0);
    const tint = between(random, -1, 1);
    const bristle = random() * 512;
    const stretch = random();
    if (layer.tolerance > 0 && difference(canvas.picture, target, index) < layer.tolerance) continue;

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
        l: target.l[index]! + tint * 0.018,
        a: target.a[index]! * (1.06 + tint * 0.1),
        b: target.b[index]! * (1.06 - tint * 0.1),
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

function difference(painted: Picture, target: Picture, index: number): number {
  return (
    Math.abs(painted.l[index]! - target.l[index]!) +
    Math.abs(painted.a[index]! - target.a[index]!) +
    Math.abs(painted.b[index]! - target.b[index]!)
  );
}
