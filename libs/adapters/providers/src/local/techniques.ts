import { blur, clamp, mapPlanes, meanOf, unitOf, type Picture } from './picture/picture.ts';
import { createRandom, noisePlane, type Random } from './picture/random.ts';

/** Redraws a picture at the same size. */
type Technique = (picture: Picture, seed: number) => Picture;

export const techniques = { oil: paintOil, ink: drawInk, photo: (picture) => picture } satisfies Record<
  string,
  Technique
>;

export type TechniqueName = keyof typeof techniques;

/** Oil on canvas: strokes along the edges carry one colour each, and their bristles catch the light. */
function paintOil(picture: Picture, seed: number): Picture {
  const { width } = picture;
  const unit = unitOf(picture);
  const random = createRandom(seed);
  const edges = edgeDirections(picture, 8 * unit, random);
  const bristles = smear(noisePlane(picture, 0.9 * unit, random), width, edges, 16 * unit);
  return mapPlanes(picture, (plane, axis) => {
    const painted = smear(plane, width, edges, 7 * unit);
    if (axis > 0) return painted;
    return painted.map((value, i) => {
      const slope = (bristles[i + width + 1] ?? 0) - (bristles[i - width - 1] ?? 0);
      return value + clamp(slope * 0.12, -0.14, 0.14);
    });
  });
}

/** Ink and wash: dark contours over thin, uneven washes. */
function drawInk(picture: Picture, seed: number): Picture {
  const { width } = picture;
  const [light] = picture.planes;
  const unit = unitOf(picture);
  const random = createRandom(seed);
  const edges = edgeDirections(picture, 5 * unit, random);
  const floods = noisePlane(picture, 25 * unit, random);
  // A difference of Gaussians is positive on the dark side of an edge (Winnemöller et al. 2012).
  const pen = Math.max(0.6, 1.2 * unit);
  const narrow = blur(light, width, pen);
  const contrast = blur(light, width, pen * 1.7).map((wide, i) => wide - narrow[i]!);
  const lines = smear(contrast, width, edges, 4 * unit);
  // Pale pictures have weaker edges.
  const weakest = 0.008 * clamp(deviationOf(light) / 0.12, 0.3, 1);
  return mapPlanes(picture, (plane, axis) => {
    const wash = smear(blur(plane, width, 2 * unit), width, edges, 9 * unit);
    if (axis > 0) return wash;
    return wash.map((value, i) => {
      const paper = 0.24 + 0.74 * value + 0.04 * floods[i]! * (1 - value);
      return paper * (1 - 0.85 * clamp((lines[i]! - weakest) / (2 * weakest), 0, 1));
    });
  });
}

function deviationOf(plane: Float32Array): number {
  const mean = meanOf(plane);
  return Math.sqrt(meanOf(plane.map((value) => (value - mean) ** 2)));
}

/** A unit vector along the edges for each pixel. */
type Directions = Readonly<Record<'x' | 'y', Float32Array>>;

const WEAKEST_EDGE = 3e-5;

/** Directions from the smoothed structure tensor (Kyprianidis and Kang 2009); without edges they wander slowly. */
function edgeDirections(picture: Picture, smoothing: number, random: Random): Directions {
  const { width } = picture;
  const light = blur(picture.planes[0], width, Math.max(1, smoothing / 4));
  const right = (i: number) => light[i + 1]! - light[i - 1]! || 0;
  const down = (i: number) => light[i + width]! - light[i - width]! || 0;
  const smooth = (plane: Float32Array) => blur(plane, width, Math.max(1, smoothing));
  const xx = smooth(light.map((_, i) => right(i) * right(i)));
  const xy = smooth(light.map((_, i) => right(i) * down(i)));
  const yy = smooth(light.map((_, i) => down(i) * down(i)));
  const calm = noisePlane(picture, width / 4, random);
  const across = calm.map((angle, i) => {
    const double = 2 * xy[i]! + WEAKEST_EDGE * Math.sin(angle);
    return 0.5 * Math.atan2(double, xx[i]! - yy[i]! + WEAKEST_EDGE * Math.cos(angle));
  });
  return { x: across.map((angle) => -Math.sin(angle)), y: across.map((angle) => Math.cos(angle)) };
}

const STEPS = 5;

/** Averages a plane along the directions, `reach` pixels to both sides. */
function smear(plane: Float32Array, width: number, { x, y }: Directions, reach: number): Float32Array {
  const [right, bottom] = [width - 1, plane.length / width - 1];
  const stride = reach / STEPS;
  return plane.map((_, i) => {
    const [column, row] = [i % width, (i / width) | 0];
    let sum = 0;
    for (let step = -STEPS; step <= STEPS; step++) {
      const fromX = clamp((column + x[i]! * step * stride + 0.5) | 0, 0, right);
      const fromY = clamp((row + y[i]! * step * stride + 0.5) | 0, 0, bottom);
      sum += plane[fromY * width + fromX]!;
    }
    return sum / (2 * STEPS + 1);
  });
}
