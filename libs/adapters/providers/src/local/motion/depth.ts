import { blur } from '../picture/blur.ts';
import { clamp } from '../picture/picture.ts';
import { NODE_SPACING, type NodeGrid } from './node-grid.ts';
import type { Planes } from './planes.ts';

/**
 * A guess at how near things are, 0 (far) to 1, one value a node: what stands low in the picture, near its middle,
 * or full of detail is taken to be nearer. Very smooth, so that moving by it bends nothing visibly.
 */
export function guessNearness(planes: Planes, { columns, rows }: NodeGrid): Float32Array {
  const { width, height } = planes;
  const detail = new Float32Array(columns * rows);
  const nearness = new Float32Array(columns * rows);
  for (let row = 0, i = 0; row < rows; row++) {
    const y = clamp(row * NODE_SPACING, 1, height - 2);
    for (let column = 0; column < columns; column++, i++) {
      const x = clamp(column * NODE_SPACING, 1, width - 2);
      const place = y * width + x;
      const across = planes.y[place + 1]! - planes.y[place - 1]!;
      const down = planes.y[place + width]! - planes.y[place - width]!;
      detail[i] = Math.min(1, (Math.abs(across) + Math.abs(down)) / 40);
      const low = row / (rows - 1);
      const middle = Math.exp(-(((column / (columns - 1) - 0.5) * 2.4) ** 2) - ((low - 0.58) * 2.4) ** 2);
      nearness[i] = 0.5 * low + 0.3 * middle;
    }
  }
  const spread = Math.max(columns, rows) / 14;
  const busy = blur(detail, columns, rows, spread);
  for (let i = 0; i < nearness.length; i++) nearness[i] = Math.min(1, nearness[i]! + 0.5 * busy[i]!);
  return blur(nearness, columns, rows, spread);
}
