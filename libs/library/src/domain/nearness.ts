import { cellOf, COLOR_CELLS, colorDistance } from '#sources';

/** Colours and shapes are compared with those of the newest items of a workspace. */
export const COMPARED_ITEMS = 100_000;

/** Distances of colours are counted from 0 to 255, in steps of 0.0025: eight are just noticeable. */
const STEPS = 400;

/** The furthest colour that is near a colour. */
export const NEAR_COLOR = 48;

/** How much one of the 64 digits of a shape counts, in steps of colours. */
export const SHAPE_STEP = 3;
/** The furthest item that is like another: pictures that have nothing in common are 96 apart by their shapes alone. */
export const NEAR_LOOK = 100;

/** For each cell the distance from the nearest of these colours, 0 to 255. */
export function colorDistances(cells: readonly number[]): Uint8Array {
  const distances = new Uint8Array(COLOR_CELLS).fill(255);
  for (let cell = 0; cell < COLOR_CELLS; cell++) {
    for (const color of cells) {
      const steps = Math.min(255, Math.round(colorDistance(color, cell) * STEPS));
      if (steps < distances[cell]!) distances[cell] = steps;
    }
  }
  return distances;
}

/** @param hex `#rrggbb` */
export function cellOfHex(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return cellOf(red!, green!, blue!);
}
