import type { Size } from '../output-size.ts';
import { clamp } from '../picture/picture.ts';

/** The part of a picture that fills the frame. The offset of its centre is a fraction of the picture's side. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

/** The direction of each move, and how much it zooms in. */
const MOVES = {
  closer: { x: 0, y: -0.12, zoom: 0.34 },
  left: { x: -1, y: 0, zoom: 0.24 },
  right: { x: 1, y: 0, zoom: 0.24 },
  up: { x: 0, y: -1, zoom: 0.24 },
  down: { x: 0, y: 1, zoom: 0.24 },
} as const satisfies Record<string, View>;

export type CameraMove = keyof typeof MOVES;

/**
 * The view at a moment of a move, 0..1. It starts with the whole picture, slowly, and never leaves the picture,
 * because the camera zooms in while it pans.
 *
 * @param amount the length of the move, 0..1
 */
export function viewOf(move: CameraMove, amount: number, moment: number): View {
  const { x, y, zoom: closer } = MOVES[move];
  const travelled = moment < 0.25 ? 2 * moment ** 2 : moment - 0.125;
  const zoom = 1 + (closer * amount * travelled) / 0.875;
  const room = 0.45 * (1 - 1 / zoom);
  return { x: x * room, y: y * room, zoom };
}

/** Samples a plane as seen in a view, bicubic (Catmull-Rom). The whole picture comes out unchanged. */
export function sample(plane: Float32Array, width: number, view: View): Float32Array {
  const height = plane.length / width;
  const upright = sampleRows(plane, width, view.zoom, view.x);
  return sampleRows(upright, height, view.zoom, view.y);
}

/** Samples along the rows and swaps rows and columns. */
function sampleRows(plane: Float32Array, width: number, zoom: number, offset: number): Float32Array {
  const height = plane.length / width;
  const result = new Float32Array(plane.length);
  const centre = (width - 1) / 2;
  for (let x = 0; x < width; x++) {
    const origin = clamp((x - centre) / zoom + centre + offset * width, 0, width - 1);
    const second = Math.floor(origin);
    const first = Math.max(0, second - 1);
    const third = Math.min(second + 1, width - 1);
    const fourth = Math.min(second + 2, width - 1);
    const t = origin - second;
    const w1 = ((2 - t) * t - 1) * t * 0.5;
    const w2 = ((3 * t - 5) * t * t + 2) * 0.5;
    const w3 = ((4 - 3 * t) * t + 1) * t * 0.5;
    const w4 = (t - 1) * t * t * 0.5;
    for (let y = 0, row = 0; y < height; y++, row += width) {
      result[x * height + y] =
        plane[row + first]! * w1 + plane[row + second]! * w2 + plane[row + third]! * w3 + plane[row + fourth]! * w4;
    }
  }
  return result;
}

/** A picture in BT.709: luma 16..235, and two colour differences 16..240 at half the size. */
export type Planes = readonly Float32Array[];

/** Converts three bytes per pixel. Both sides are even. */
export function planesFromRgb(pixels: Uint8Array, { width, height }: Size): Planes {
  const y = new Float32Array(width * height);
  const u = new Float32Array(y.length / 4);
  const v = new Float32Array(y.length / 4);
  for (let i = 0, p = 0; i < y.length; i++, p += 3) {
    const [red, green, blue] = [pixels[p]!, pixels[p + 1]!, pixels[p + 2]!];
    const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    const place = (Math.floor(i / width) >> 1) * (width / 2) + ((i % width) >> 1);
    y[i] = 16 + (luma * 219) / 255;
    u[place]! += (128 + ((blue - luma) * 224) / 255 / 1.8556) / 4;
    v[place]! += (128 + ((red - luma) * 224) / 255 / 1.5748) / 4;
  }
  return [y, u, v];
}
