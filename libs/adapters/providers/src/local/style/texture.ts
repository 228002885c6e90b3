import { blur } from '../picture/blur.ts';
import { blankPicture, clamp, copyPicture, type Picture } from '../picture/picture.ts';
import { createRandom } from '../picture/random.ts';

/** How the surface of a picture is worked: what a treatment takes from a style reference besides its colours. */
export interface SurfaceTexture {
  /** From 0.6 (fine detail prevails) to 1.6 (broad forms prevail). */
  readonly coarseness: number;
  /** The direction most of its edges run in, in radians. */
  readonly direction: number;
}

export const PLAIN_SURFACE: SurfaceTexture = { coarseness: 1, direction: -0.6 };

/** Reads the surface of a picture of a few hundred pixels. */
export function surfaceTexture(picture: Picture): SurfaceTexture {
  const { l, width, height } = picture;
  const fine = blur(l, width, height, 1);
  const broad = blur(l, width, height, 3);
  let fineEnergy = 0;
  let broadEnergy = 0;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      fineEnergy += (l[i]! - fine[i]!) ** 2;
      broadEnergy += (fine[i]! - broad[i]!) ** 2;
      const dx = fine[i + 1]! - fine[i - 1]!;
      const dy = fine[i + width]! - fine[i - width]!;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
  }
  const ratio = Math.sqrt(broadEnergy / (fineEnergy + 1e-6));
  return {
    coarseness: clamp(0.35 + 0.5 * ratio, 0.6, 1.6),
    direction: 0.5 * Math.atan2(2 * xy, xx - yy) + Math.PI / 2,
  };
}

/** Patches tried for a place, and how much better the one that goes on from its neighbour's may seem than it is. */
const CANDIDATES = 48;
const LOYALTY = 0.05;

/**
 * Lays the reference's own surface (brush marks, grain, weave) over a picture. The reference without its broad
 * forms is cut into overlapping patches; each place of the picture takes one whose tone and slope are like its
 * own, by preference the one that goes on where its neighbour's ends (Efros and Freeman 2001, but patches fade
 * into each other instead of meeting at a seam).
 *
 * @param options.patch side of a patch in pixels, even
 */
export function layTexture(
  picture: Picture,
  reference: Picture,
  options: { readonly patch: number; readonly amount: number; readonly seed: number },
): Picture {
  const { patch, amount } = options;
  if (reference.width <= patch || reference.height <= patch) return picture;
  const half = patch / 2;
  const detail = detailOf(reference, patch / 3);
  const source = { ...reference, l: blur(reference.l, reference.width, reference.height, patch / 4) };
  const target = { ...picture, l: blur(picture.l, picture.width, picture.height, patch / 4) };
  const random = createRandom(options.seed);
  const window = fadingWindow(patch);
  const result = copyPicture(picture);
  const columns = Math.ceil(picture.width / half) + 1;
  let above: Place[] = [];
  for (let top = -half; top < picture.height; top += half) {
    const row: Place[] = [];
    for (let column = 0; column < columns; column++) {
      const left = (column - 1) * half;
      const wanted = signsAt(target, left, top, patch);
      let best: Place = { left: 0, top: 0 };
      let least = Infinity;
      const consider = (place: Place, bonus: number) => {
        if (place.left + patch > source.width || place.top + patch > source.height) return;
        const far = unlikeness(signsAt(source, place.left, place.top, patch), wanted) - bonus;
        if (far >= least) return;
        least = far;
        best = place;
      };
      const before = row[column - 1];
      const over = above[column];
      if (before) consider({ left: before.left + half, top: before.top }, LOYALTY);
      if (over) consider({ left: over.left, top: over.top + half }, LOYALTY);
      for (let i = 0; i < CANDIDATES; i++) {
        const place = {
          left: Math.floor(random() * (source.width - patch)),
          top: Math.floor(random() * (source.height - patch)),
        };
        consider(place, 0);
      }
      row.push(best);
      addPatch(result, detail, best, window, amount, left, top, patch);
    }
    above = row;
  }
  return result;
}

interface Place {
  readonly left: number;
  readonly top: number;
}

interface Signs {
  readonly lightness: number;
  readonly slopeX: number;
  readonly slopeY: number;
}

function detailOf(picture: Picture, sigma: number): Picture {
  const detail = blankPicture(picture.width, picture.height);
  for (const plane of ['l', 'a', 'b'] as const) {
    const smooth = blur(picture[plane], picture.width, picture.height, sigma);
    const source = picture[plane];
    const target = detail[plane];
    // Hard edges of the reference's motif are no texture: bounded.
    for (let i = 0; i < target.length; i++) target[i] = clamp(source[i]! - smooth[i]!, -0.14, 0.14);
  }
  return detail;
}

function signsAt(smooth: Picture, left: number, top: number, patch: number): Signs {
  const reach = patch >> 2;
  const x = left + (patch >> 1);
  const y = top + (patch >> 1);
  return {
    lightness: lightnessAt(smooth, x, y),
    slopeX: lightnessAt(smooth, x + reach, y) - lightnessAt(smooth, x - reach, y),
    slopeY: lightnessAt(smooth, x, y + reach) - lightnessAt(smooth, x, y - reach),
  };
}

function lightnessAt({ l, width, height }: Picture, x: number, y: number): number {
  return l[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)]!;
}

function unlikeness(one: Signs, other: Signs): number {
  return (
    Math.abs(one.lightness - other.lightness) +
    1.5 * Math.abs(one.slopeX - other.slopeX) +
    1.5 * Math.abs(one.slopeY - other.slopeY)
  );
}

/** Weights that add up to one where patches overlap by half. */
function fadingWindow(patch: number): Float32Array {
  const window = new Float32Array(patch * patch);
  const ramp = (i: number) => Math.sin((Math.PI * (i + 0.5)) / patch) ** 2;
  for (let y = 0, i = 0; y < patch; y++) for (let x = 0; x < patch; x++, i++) window[i] = ramp(x) * ramp(y);
  return window;
}

function addPatch(
  picture: Picture,
  detail: Picture,
  from: Place,
  window: Float32Array,
  amount: number,
  left: number,
  top: number,
  patch: number,
): void {
  const startX = Math.max(0, -left);
  const endX = Math.min(patch, picture.width - left);
  const endY = Math.min(patch, picture.height - top);
  for (let y = Math.max(0, -top); y < endY; y++) {
    let source = (from.top + y) * detail.width + from.left + startX;
    let target = (top + y) * picture.width + left + startX;
    for (let x = startX; x < endX; x++, source++, target++) {
      const weight = window[y * patch + x]! * amount;
      picture.l[target]! += detail.l[source]! * weight;
      picture.a[target]! += detail.a[source]! * weight;
      picture.b[target]! += detail.b[source]! * weight;
    }
  }
}
