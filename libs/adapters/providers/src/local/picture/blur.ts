import { type Picture } from './picture.ts';

/** A close stand-in for a Gaussian blur of standard deviation `sigma`: three box blurs, whatever sigma costs the same. */
export function blur(plane: Float32Array, width: number, height: number, sigma: number): Float32Array {
  const result = plane.slice();
  const scratch = new Float32Array(plane.length);
  for (const radius of boxRadii(sigma)) {
    if (radius === 0) continue;
    blurRows(result, scratch, width, height, radius);
    blurColumns(scratch, result, width, height, radius);
  }
  return result;
}

export function blurPicture(picture: Picture, sigma: number): Picture {
  const { width, height } = picture;
  return {
    width,
    height,
    l: blur(picture.l, width, height, sigma),
    a: blur(picture.a, width, height, sigma),
    b: blur(picture.b, width, height, sigma),
  };
}

/** Radii of three boxes whose variances add up to that of the Gaussian, as near as whole numbers come. */
function boxRadii(sigma: number): readonly number[] {
  const ideal = Math.sqrt(4 * sigma * sigma + 1);
  const lower = Math.max(1, 2 * Math.floor((ideal - 1) / 2) + 1);
  const lowerCount = Math.round((12 * sigma * sigma - 3 * lower * lower - 12 * lower - 9) / (-4 * lower - 4));
  return [0, 1, 2].map((i) => (i < lowerCount ? (lower - 1) / 2 : (lower + 1) / 2));
}

function blurRows(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const scale = 1 / (2 * radius + 1);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const end = start + width - 1;
    const first = from[start]!;
    const last = from[end]!;
    let sum = first * (radius + 1);
    for (let x = 1; x <= radius; x++) sum += start + x <= end ? from[start + x]! : last;
    for (let i = start, enter = start + radius + 1, leave = start - radius; i <= end; i++, enter++, leave++) {
      to[i] = sum * scale;
      sum += (enter <= end ? from[enter]! : last) - (leave >= start ? from[leave]! : first);
    }
  }
}

/** Keeps a running sum for each column and walks row by row, so that memory is read in order. */
function blurColumns(
  from: Float32Array,
  to: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const scale = 1 / (2 * radius + 1);
  const sums = new Float64Array(width);
  const row = (y: number) => (y < 0 ? 0 : y >= height ? height - 1 : y) * width;
  for (let y = -radius; y <= radius; y++) {
    for (let x = 0, i = row(y); x < width; x++, i++) sums[x]! += from[i]!;
  }
  for (let y = 0; y < height; y++) {
    let enter = row(y + radius + 1);
    let leave = row(y - radius);
    for (let x = 0, i = y * width; x < width; x++, i++, enter++, leave++) {
      to[i] = sums[x]! * scale;
      sums[x]! += from[enter]! - from[leave]!;
    }
  }
}
