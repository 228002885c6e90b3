import type { Look } from '#files';
import { cellOf, COLOR_CELLS, colorDistance } from './color.ts';

/** Rows of pixels in sRGB, with one, two (and alpha), three or four channels. */
export interface RawPixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

export const MAX_COLORS = 5;
/** Colours that are nearer count as one. */
const SAME_COLOR = 0.1;
/** Frequent cells that are looked at: the others are noise. */
const MAX_CELLS = 256;
/** A dominant colour has at least this share of the pixels. */
const LEAST_SHARE = 0.01;
const OPAQUE = 128;
const STEPS = 8;
/** Smaller steps in brightness, of 255, are noise. */
const LEAST_STEP = 2;

/** The look of a small picture; 100 pixels along its longer side are enough. */
export function lookOf(pixels: RawPixels): Look {
  return { colors: dominantColors(pixels), shape: shapeOf(pixels) };
}

function dominantColors(pixels: RawPixels): readonly number[] {
  const counts = countCells(pixels);
  const cells = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!).slice(0, MAX_CELLS);
  const groups: { readonly cell: number; count: number }[] = [];
  for (const cell of cells) {
    const near = groups.find((group) => colorDistance(group.cell, cell) < SAME_COLOR);
    if (near) near.count += counts.get(cell)!;
    else groups.push({ cell, count: counts.get(cell)! });
  }
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const [first, ...others] = groups.sort((a, b) => b.count - a.count);
  const frequent = others.filter(({ count }) => count >= all * LEAST_SHARE);
  return first ? [first, ...frequent].slice(0, MAX_COLORS).map(({ cell }) => cell) : [];
}

function countCells({ data, width, height, channels }: RawPixels): ReadonlyMap<number, number> {
  const counts = new Uint32Array(COLOR_CELLS);
  const isGray = channels < 3;
  for (let at = 0; at < width * height * channels; at += channels) {
    if (channels % 2 === 0 && data[at + channels - 1]! < OPAQUE) continue;
    const red = data[at]!;
    counts[cellOf(red, isGray ? red : data[at + 1]!, isGray ? red : data[at + 2]!)]!++;
  }
  const found = new Map<number, number>();
  counts.forEach((count, cell) => count > 0 && found.set(cell, count));
  return found;
}

/** The difference hash of N. Krawetz (2013): it stays nearly the same when a picture is scaled, compressed or brightened. */
function shapeOf(pixels: RawPixels): string {
  let digits = '';
  for (let row = 0; row < STEPS; row++) {
    let left = brightnessOf(pixels, 0, row);
    for (let column = 1; column <= STEPS; column++) {
      const right = brightnessOf(pixels, column, row);
      digits += right - left > LEAST_STEP ? '1' : '0';
      left = right;
    }
  }
  return digits;
}

/** The mean of one of nine times eight fields; a transparent pixel is white. */
function brightnessOf({ data, width, height, channels }: RawPixels, column: number, row: number): number {
  const [left, right] = span(column, STEPS + 1, width);
  const [top, bottom] = span(row, STEPS, height);
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = (y * width + x) * channels;
      const gray = channels < 3 ? data[at]! : 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
      const alpha = channels % 2 === 0 ? data[at + channels - 1]! / 255 : 1;
      sum += 255 + (gray - 255) * alpha;
    }
  }
  return sum / ((right - left) * (bottom - top));
}

/** The pixels of a part, at least one. */
function span(index: number, parts: number, length: number): readonly [from: number, to: number] {
  const from = Math.min(length - 1, Math.floor((index * length) / parts));
  return [from, Math.max(from + 1, Math.floor(((index + 1) * length) / parts))];
}
