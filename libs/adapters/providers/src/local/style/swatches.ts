import { blur, mapPlanes, meanOf, type Picture } from '../picture/picture.ts';

/** The width and height of a swatch. */
export const SWATCH_SIDE = 64;
const BLOCK = 16;
const BLOCKS = SWATCH_SIDE / BLOCK;

/** Cuts squares out of a picture: in each range of lightness the square that shows most surface and least motif. */
export function swatchesOf(picture: Picture, count: number): readonly Picture[] {
  const places = placesOf(picture).sort((one, other) => one.light - other.light);
  return Array.from({ length: Math.min(count, places.length) }, (_, range) => {
    const start = Math.floor((range * places.length) / count);
    const group = places.slice(start, Math.max(start + 1, Math.floor(((range + 1) * places.length) / count)));
    const { left, top } = group.reduce((one, other) => (other.surface > one.surface ? other : one));
    return cut(picture, left, top);
  });
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly light: number;
  readonly surface: number;
}

function placesOf({ planes: [light], width, height }: Picture): Place[] {
  const smooth = blur(light, width, 3);
  const detail = light.map((value, i) => Math.abs(value - smooth[i]!));
  const [columns, rows] = [Math.floor(width / BLOCK), Math.floor(height / BLOCK)];
  const [lights, details] = [light, detail].map((plane) => blockMeans(plane, width, columns, rows));
  const places: Place[] = [];
  for (let row = 0; row + BLOCKS <= rows; row++) {
    for (let column = 0; column + BLOCKS <= columns; column++) {
      const blocks = Array.from({ length: BLOCKS ** 2 }, (_, i) => {
        return (row + Math.floor(i / BLOCKS)) * columns + column + (i % BLOCKS);
      });
      const sorted = Float32Array.from(blocks, (block) => details![block]!).sort();
      places.push({
        left: column * BLOCK,
        top: row * BLOCK,
        light: meanOf(blocks.map((block) => lights![block]!)),
        // A surface is everywhere, so it is in the median too; the edges of a motif only raise the mean.
        surface: sorted[sorted.length >> 1]! - meanOf(sorted) / 3,
      });
    }
  }
  return places;
}

function blockMeans(plane: Float32Array, width: number, columns: number, rows: number): Float32Array {
  return Float32Array.from({ length: columns * rows }, (_, block) => {
    const [left, top] = [BLOCK * (block % columns), BLOCK * Math.floor(block / columns)];
    let sum = 0;
    for (let y = top; y < top + BLOCK; y++) {
      for (let x = left; x < left + BLOCK; x++) sum += plane[y * width + x]!;
    }
    return sum / BLOCK ** 2;
  });
}

function cut(picture: Picture, left: number, top: number): Picture {
  const square = mapPlanes(picture, (plane) =>
    Float32Array.from({ length: SWATCH_SIDE ** 2 }, (_, i) => {
      const [x, y] = [left + (i % SWATCH_SIDE), top + Math.floor(i / SWATCH_SIDE)];
      return plane[y * picture.width + x]!;
    }),
  );
  return { ...square, width: SWATCH_SIDE, height: SWATCH_SIDE };
}
