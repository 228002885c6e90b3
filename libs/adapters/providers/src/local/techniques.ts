import { blur, clamp, mapPlanes, smoothstep, unitOf, type Picture } from './picture/picture.ts';
import { createRandom, fractalNoise } from './picture/random.ts';

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
  const edges = edgeDirections(picture, 8 * unit, seed);
  const random = createRandom(seed);
  const noise = picture.l.map(() => random());
  const bristles = smear(blur(noise, width, 0.9 * unit), width, edges, 16 * unit);
  const painted = mapPlanes(picture, (plane) => smear(plane, width, edges, 7 * unit));
  const last = painted.l.length - 1;
  const light = painted.l.map((value, i) => {
    const slope = bristles[Math.min(last, i + width + 1)]! - bristles[Math.max(0, i - width - 1)]!;
    return value + clamp(slope * 1.1, -0.12, 0.12);
  });
  return { ...painted, l: light };
}

/** Ink and wash: dark contours over thin, uneven washes. */
function drawInk(picture: Picture, seed: number): Picture {
  const { width, l } = picture;
  const unit = unitOf(picture);
  const edges = edgeDirections(picture, 5 * unit, seed);
  const washes = mapPlanes(picture, (plane) => smear(blur(plane, width, 2 * unit), width, edges, 9 * unit));
  // A difference of Gaussians is positive on the dark side of an edge (Winnemöller et al. 2012).
  const pen = Math.max(0.6, 1.2 * unit);
  const narrow = blur(l, width, pen);
  const contrast = blur(l, width, pen * 1.7).map((wide, i) => wide - narrow[i]!);
  const lines = smear(contrast, width, edges, 4 * unit);
  const light = washes.l.map((value, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const flood = fractalNoise(x / (60 * unit), y / (60 * unit), seed, 5) - 0.5;
    const wash = 0.24 + 0.74 * value + 0.3 * flood * (1 - value);
    return wash * (1 - 0.85 * smoothstep(0.006, 0.022, lines[i]!));
  });
  return { ...washes, l: light };
}

/** A unit vector along the edges for each pixel. */
type Directions = Readonly<Record<'x' | 'y', Float32Array>>;

const WEAKEST_EDGE = 2e-5;

/** Directions from the smoothed structure tensor (Kyprianidis and Kang 2009); without edges they wander slowly. */
function edgeDirections({ l, width }: Picture, smoothing: number, seed: number): Directions {
  const light = blur(l, width, Math.max(1, smoothing / 4));
  const right = (i: number) => light[i + 1]! - light[i - 1]! || 0;
  const down = (i: number) => light[i + width]! - light[i - width]! || 0;
  const smooth = (plane: Float32Array) => blur(plane, width, Math.max(1, smoothing));
  const xx = smooth(l.map((_, i) => right(i) * right(i)));
  const xy = smooth(l.map((_, i) => right(i) * down(i)));
  const yy = smooth(l.map((_, i) => down(i) * down(i)));
  const directions = { x: xy, y: yy };
  for (let i = 0; i < l.length; i++) {
    const calm = 4 * fractalNoise((2.5 * (i % width)) / width, (2.5 * i) / width / width, seed, 1);
    const double = 2 * xy[i]! + WEAKEST_EDGE * Math.sin(calm);
    const across = 0.5 * Math.atan2(double, xx[i]! - yy[i]! + WEAKEST_EDGE * Math.cos(calm));
    directions.x[i] = -Math.sin(across);
    directions.y[i] = Math.cos(across);
  }
  return directions;
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
