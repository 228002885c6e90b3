import type { Size } from '../output-size.ts';
import { clamp } from '../picture/picture.ts';
import { NODE_SPACING, type NodeGrid } from './node-grid.ts';

export type CameraMove = 'in' | 'left' | 'right' | 'up' | 'down' | 'still';

/** Where each move leads the camera, and how much closer it goes meanwhile. */
const MOVES: Readonly<Record<CameraMove, { readonly x: number; readonly y: number; readonly zoom: number }>> =
  {
    in: { x: 0, y: -0.12, zoom: 0.36 },
    left: { x: -1, y: 0, zoom: 0.24 },
    right: { x: 1, y: 0, zoom: 0.24 },
    up: { x: 0, y: -1, zoom: 0.24 },
    down: { x: 0, y: 1, zoom: 0.24 },
    still: { x: 0, y: 0, zoom: 0.035 },
  };

export interface CameraPath {
  readonly move: CameraMove;
  /** How far it goes, 0..1. */
  readonly amount: number;
}

/**
 * Points every node of the grid at where it comes from. At `travelled` 0 that is the node's own place exactly;
 * the frame never reaches beyond the picture, because the camera goes closer as it turns away.
 *
 * @param nearness one value a node: near things move more than far ones
 * @param travelled the part of the path that lies behind, 0..1
 */
export function aimCamera(
  grid: NodeGrid,
  nearness: Float32Array,
  size: Size,
  path: CameraPath,
  travelled: number,
): void {
  const move = MOVES[path.move];
  const zoom = 1 + move.zoom * path.amount * travelled;
  const room = 0.5 * (1 - 1 / zoom) * 0.8;
  const parallax = 0.05 * path.amount * travelled;
  const maxX = size.width - 1;
  const maxY = size.height - 1;
  for (let row = 0, i = 0; row < grid.rows; row++) {
    const y = (row * NODE_SPACING) / maxY - 0.5;
    for (let column = 0; column < grid.columns; column++, i++) {
      const x = (column * NODE_SPACING) / maxX - 0.5;
      const near = nearness[i]! - 0.4;
      const scale = 1 / (zoom * (1 + parallax * 1.6 * near));
      const fromX = x * scale + move.x * (room + parallax * near);
      const fromY = y * scale + move.y * (room + parallax * near);
      grid.fromX[i] = clamp((fromX + 0.5) * maxX, 0, Math.max(maxX, column * NODE_SPACING));
      grid.fromY[i] = clamp((fromY + 0.5) * maxY, 0, Math.max(maxY, row * NODE_SPACING));
    }
  }
}
