import { NODE_SPACING, type NodeGrid } from './node-grid.ts';
import type { Planes } from './planes.ts';

/** The bytes of one frame, planes one after the other in one buffer as encoders take them. */
export interface FrameBytes {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}

export function createFrameBytes(width: number, height: number): FrameBytes {
  const luma = width * height;
  const bytes = Buffer.alloc((luma * 3) / 2);
  return {
    width,
    height,
    bytes,
    y: bytes.subarray(0, luma),
    u: bytes.subarray(luma, (luma * 5) / 4),
    v: bytes.subarray((luma * 5) / 4),
  };
}

/** Pixels repeated around a plane, so that a filter at its border needs no questions. */
const PAD = 2;
const PHASES = 64;
/** Rounds a place to its nearest phase. */
const HALF_PHASE = 0.5 / PHASES;

/** Catmull-Rom weights of four neighbouring pixels, for 64 places between the inner two. Whole places copy exactly. */
const WEIGHTS = Float32Array.from({ length: PHASES * 4 }, (_, i) => {
  const t = Math.floor(i / 4) / PHASES;
  return [
    ((2 - t) * t - 1) * t * 0.5,
    ((3 * t - 5) * t * t + 2) * 0.5,
    ((4 - 3 * t) * t + 1) * t * 0.5,
    (t - 1) * t * t * 0.5,
  ][i % 4]!;
});

/** Paints frames from one picture that turns into another. */
export class FramePainter {
  readonly #from: Planes;
  readonly #to: Planes | null;
  readonly #padded: Float32Array;
  readonly #fog: readonly [number, number, number];

  /**
   * @param to what the colours turn into; `null`: they stay
   * @param fog colour of the grid's fog, as YUV
   */
  constructor(from: Planes, to: Planes | null, fog: readonly [number, number, number]) {
    this.#from = from;
    this.#to = to;
    this.#fog = fog;
    this.#padded = new Float32Array((from.width + 2 * PAD) * (from.height + 2 * PAD));
  }

  /** @param turned how far the colours have turned, 0..1 */
  paint(frame: FrameBytes, grid: NodeGrid, turned: number): void {
    const { width, height } = this.#from;
    this.#blend('y', width, height, turned);
    this.#paintLuma(frame.y, grid);
    this.#blend('u', width / 2, height / 2, turned);
    this.#paintColour(frame.u, grid, this.#fog[1]);
    this.#blend('v', width / 2, height / 2, turned);
    this.#paintColour(frame.v, grid, this.#fog[2]);
  }

  #blend(plane: 'y' | 'u' | 'v', width: number, height: number, turned: number): void {
    const from = this.#from[plane];
    const to = this.#to?.[plane] ?? from;
    const padded = this.#padded;
    const stride = width + 2 * PAD;
    for (let row = 0; row < height + 2 * PAD; row++) {
      const source = Math.min(height - 1, Math.max(0, row - PAD)) * width;
      let target = row * stride + PAD;
      for (let i = source; i < source + width; i++, target++)
        padded[target] = from[i]! + (to[i]! - from[i]!) * turned;
      padded.fill(padded[row * stride + PAD]!, row * stride, row * stride + PAD);
      padded.fill(padded[target - 1]!, target, target + PAD);
    }
  }

  #paintLuma(out: Uint8Array, grid: NodeGrid): void {
    const { width, height } = this.#from;
    const padded = this.#padded;
    const stride = width + 2 * PAD;
    const maxX = width - 1;
    const maxY = height - 1;
    const fogLuma = this.#fog[0];
    for (let y = 0; y < height; y++) {
      const row = (y / NODE_SPACING) | 0;
      const v = y / NODE_SPACING - row;
      for (let column = 0, x = 0; x < width; column++) {
        const node = row * grid.columns + column;
        const below = node + grid.columns;
        let fromX = grid.fromX[node]! + (grid.fromX[below]! - grid.fromX[node]!) * v;
        let fromY = grid.fromY[node]! + (grid.fromY[below]! - grid.fromY[node]!) * v;
        let gain = grid.gain[node]! + (grid.gain[below]! - grid.gain[node]!) * v;
        let fog = grid.fog[node]! + (grid.fog[below]! - grid.fog[node]!) * v;
        const stepX =
          (grid.fromX[node + 1]! + (grid.fromX[below + 1]! - grid.fromX[node + 1]!) * v - fromX) /
          NODE_SPACING;
        const stepY =
          (grid.fromY[node + 1]! + (grid.fromY[below + 1]! - grid.fromY[node + 1]!) * v - fromY) /
          NODE_SPACING;
        const stepGain =
          (grid.gain[node + 1]! + (grid.gain[below + 1]! - grid.gain[node + 1]!) * v - gain) / NODE_SPACING;
        const stepFog =
          (grid.fog[node + 1]! + (grid.fog[below + 1]! - grid.fog[node + 1]!) * v - fog) / NODE_SPACING;
        const end = Math.min(width, x + NODE_SPACING);
        for (; x < end; x++) {
          const px = (fromX < 0 ? 0 : fromX > maxX ? maxX : fromX) + HALF_PHASE;
          const py = (fromY < 0 ? 0 : fromY > maxY ? maxY : fromY) + HALF_PHASE;
          const ix = px | 0;
          const iy = py | 0;
          const wx = (((px - ix) * PHASES) | 0) << 2;
          const wy = (((py - iy) * PHASES) | 0) << 2;
          const w0 = WEIGHTS[wx]!;
          const w1 = WEIGHTS[wx + 1]!;
          const w2 = WEIGHTS[wx + 2]!;
          const w3 = WEIGHTS[wx + 3]!;
          const a = (iy + PAD - 1) * stride + ix + PAD - 1;
          const b = a + stride;
          const c = b + stride;
          const d = c + stride;
          const sample =
            (padded[a]! * w0 + padded[a + 1]! * w1 + padded[a + 2]! * w2 + padded[a + 3]! * w3) *
              WEIGHTS[wy]! +
            (padded[b]! * w0 + padded[b + 1]! * w1 + padded[b + 2]! * w2 + padded[b + 3]! * w3) *
              WEIGHTS[wy + 1]! +
            (padded[c]! * w0 + padded[c + 1]! * w1 + padded[c + 2]! * w2 + padded[c + 3]! * w3) *
              WEIGHTS[wy + 2]! +
            (padded[d]! * w0 + padded[d + 1]! * w1 + padded[d + 2]! * w2 + padded[d + 3]! * w3) *
              WEIGHTS[wy + 3]!;
          const lit = 16 + (sample - 16) * gain;
          const luma = lit + (fogLuma - lit) * fog + 0.5;
          out[y * width + x] = luma < 16 ? 16 : luma > 235 ? 235 : luma;
          fromX += stepX;
          fromY += stepY;
          gain += stepGain;
          fog += stepFog;
        }
      }
    }
  }

  #paintColour(out: Uint8Array, grid: NodeGrid, fogColour: number): void {
    const width = this.#from.width / 2;
    const height = this.#from.height / 2;
    const padded = this.#padded;
    const stride = width + 2 * PAD;
    const maxX = width - 1;
    const maxY = height - 1;
    const spacing = NODE_SPACING / 2;
    for (let y = 0; y < height; y++) {
      const row = (y / spacing) | 0;
      const v = y / spacing - row;
      for (let column = 0, x = 0; x < width; column++) {
        const node = row * grid.columns + column;
        const below = node + grid.columns;
        let fromX = (grid.fromX[node]! + (grid.fromX[below]! - grid.fromX[node]!) * v) / 2;
        let fromY = (grid.fromY[node]! + (grid.fromY[below]! - grid.fromY[node]!) * v) / 2;
        const stepX =
          ((grid.fromX[node + 1]! + (grid.fromX[below + 1]! - grid.fromX[node + 1]!) * v) / 2 - fromX) /
          spacing;
        const stepY =
          ((grid.fromY[node + 1]! + (grid.fromY[below + 1]! - grid.fromY[node + 1]!) * v) / 2 - fromY) /
          spacing;
        const fog = grid.fog[node]!;
        const end = Math.min(width, x + spacing);
        for (; x < end; x++) {
          const px = fromX < 0 ? 0 : fromX > maxX ? maxX : fromX;
          const py = fromY < 0 ? 0 : fromY > maxY ? maxY : fromY;
          const ix = px | 0;
          const iy = py | 0;
          const u = px - ix;
          const a = (iy + PAD) * stride + ix + PAD;
          const upper = padded[a]! + (padded[a + 1]! - padded[a]!) * u;
          const lower = padded[a + stride]! + (padded[a + stride + 1]! - padded[a + stride]!) * u;
          const sample = upper + (lower - upper) * (py - iy);
          out[y * width + x] = sample + (fogColour - sample) * fog + 0.5;
          fromX += stepX;
          fromY += stepY;
        }
      }
    }
  }
}
