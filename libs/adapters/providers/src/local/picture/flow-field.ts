import { blur } from './blur.ts';
import { noise } from './noise.ts';
import type { Picture } from './picture.ts';

/** Where edges run: a direction for every cell of a grid over the picture. */
export interface FlowField {
  /** Pixels a cell. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  /** Unit vectors along the edges. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  /** How clear the direction is, 0..1. */
  readonly coherence: Float32Array;
}

interface FlowOptions {
  /** How far directions are smoothed, in pixels. */
  readonly smoothing: number;
  readonly seed: number;
  /** The direction that places without edges tend to, in radians. */
  readonly drift: number;
}

const CELL = 4;

/**
 * Directions from the smoothed structure tensor of lightness (Kyprianidis and Kang 2009). Where the picture has
 * no edges a slow wander around `drift` takes over, so that strokes there still lie side by side.
 */
export function flowField(picture: Picture, options: FlowOptions): FlowField {
  const columns = Math.ceil(picture.width / CELL);
  const rows = Math.ceil(picture.height / CELL);
  const light = shrink(picture, columns, rows);
  const size = columns * rows;
  const xx = new Float32Array(size);
  const xy = new Float32Array(size);
  const yy = new Float32Array(size);
  for (let y = 0, i = 0; y < rows; y++) {
    const above = Math.max(0, y - 1) * columns;
    const here = y * columns;
    const below = Math.min(rows - 1, y + 1) * columns;
    for (let x = 0; x < columns; x++, i++) {
      const left = Math.max(0, x - 1);
      const right = Math.min(columns - 1, x + 1);
      const dx = light[here + right]! - light[here + left]!;
      const dy = light[below + x]! - light[above + x]!;
      xx[i] = dx * dx;
      xy[i] = dx * dy;
      yy[i] = dy * dy;
    }
  }
  const sigma = Math.max(1, options.smoothing / CELL);
  const smoothXX = blur(xx, columns, rows, sigma);
  const smoothXY = blur(xy, columns, rows, sigma);
  const smoothYY = blur(yy, columns, rows, sigma);

  const field: FlowField = {
    cell: CELL,
    columns,
    rows,
    x: new Float32Array(size),
    y: new Float32Array(size),
    coherence: new Float32Array(size),
  };
  const wander = 5 / Math.max(columns, rows);
  const weakest = 4e-4;
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, i++) {
      const calm = options.drift + (noise(x * wander, y * wander, options.seed) - 0.5) * 2.6;
      // A gradient across the calm direction, as strong as the weakest edge that counts.
      const calmX = -Math.sin(calm);
      const calmY = Math.cos(calm);
      const e = smoothXX[i]! + weakest * calmX * calmX;
      const f = smoothXY[i]! + weakest * calmX * calmY;
      const g = smoothYY[i]! + weakest * calmY * calmY;
      const across = 0.5 * Math.atan2(2 * f, e - g);
      field.x[i] = -Math.sin(across);
      field.y[i] = Math.cos(across);
      field.coherence[i] = Math.sqrt((e - g) ** 2 + 4 * f * f) / (e + g + 1e-9);
    }
  }
  return field;
}

/** Index into the field's arrays for the cell under a pixel; pixels outside count to the nearest cell. */
export function flowIndex(field: FlowField, x: number, y: number): number {
  const column = (x / field.cell) | 0;
  const row = (y / field.cell) | 0;
  return (
    (row < 0 ? 0 : row >= field.rows ? field.rows - 1 : row) * field.columns +
    (column < 0 ? 0 : column >= field.columns ? field.columns - 1 : column)
  );
}

/** The most places that an average along the flow takes to each side. */
const SMEAR_STEPS = 8;

/** Averages a plane along the flow, `reach` pixels to each side (Cabral and Leedom 1993). */
export function smearAlongFlow(
  plane: Float32Array,
  width: number,
  height: number,
  field: FlowField,
  reach: number,
): Float32Array {
  const result = new Float32Array(plane.length);
  const steps = Math.max(1, Math.min(SMEAR_STEPS, Math.round(reach)));
  const stride = reach / steps;
  const maxX = width - 1;
  const maxY = height - 1;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let sum = plane[i]!;
      let count = 1;
      const start = flowIndex(field, x, y);
      for (let side = -stride; side <= stride; side += 2 * stride) {
        let dx = field.x[start]! * side;
        let dy = field.y[start]! * side;
        let px = x + dx;
        let py = y + dy;
        for (let step = 0; step < steps; step++) {
          if (px < 0 || py < 0 || px > maxX || py > maxY) break;
          sum += plane[((py + 0.5) | 0) * width + ((px + 0.5) | 0)]!;
          count++;
          const next = flowIndex(field, px, py);
          const nx = field.x[next]!;
          const ny = field.y[next]!;
          // The field knows lines, not arrows: go on in the direction that turns less.
          const sign = nx * dx + ny * dy < 0 ? -stride : stride;
          dx = nx * sign;
          dy = ny * sign;
          px += dx;
          py += dy;
        }
      }
      result[i] = sum / count;
    }
  }
  return result;
}

function shrink(picture: Picture, columns: number, rows: number): Float32Array {
  const result = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const bottom = Math.min(picture.height, (row + 1) * CELL);
    for (let column = 0; column < columns; column++) {
      const right = Math.min(picture.width, (column + 1) * CELL);
      let sum = 0;
      let count = 0;
      for (let y = row * CELL; y < bottom; y++) {
        for (let x = column * CELL; x < right; x++, count++) sum += picture.l[y * picture.width + x]!;
      }
      result[row * columns + column] = sum / count;
    }
  }
  return result;
}
