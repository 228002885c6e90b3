/** Pixels between two nodes; even, so that nodes lie alike on luma and on the halved colour planes. */
export const NODE_SPACING = 8;

/**
 * What a frame does to its picture, at every eighth pixel; pixels between nodes are interpolated, so that a
 * costly formula is worked out 64 times less often.
 */
export interface NodeGrid {
  readonly columns: number;
  readonly rows: number;
  /** Where the node's pixel comes from, in pixels of the source. */
  readonly fromX: Float32Array;
  readonly fromY: Float32Array;
  /** Brightness is multiplied by this. */
  readonly gain: Float32Array;
  /** How much of the fog's colour covers it, 0..1. */
  readonly fog: Float32Array;
}

export function createNodeGrid(width: number, height: number): NodeGrid {
  const columns = Math.ceil(width / NODE_SPACING) + 1;
  const rows = Math.ceil(height / NODE_SPACING) + 1;
  const plane = () => new Float32Array(columns * rows);
  return { columns, rows, fromX: plane(), fromY: plane(), gain: plane(), fog: plane() };
}
