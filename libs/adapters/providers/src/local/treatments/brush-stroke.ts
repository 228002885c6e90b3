import type { Colour, Picture } from '../picture/picture.ts';
import { smoothstep } from '../picture/picture.ts';

// Looked up once, as in random.ts: a painting has a hundred thousand strokes.
const { abs, ceil, floor, max, min } = Math;

/** What strokes are painted on: colour, and how thick the paint lies. */
export interface Canvas {
  readonly picture: Picture;
  readonly relief: Float32Array;
}

export interface BrushStroke {
  readonly x: number;
  readonly y: number;
  /** Radians. */
  readonly angle: number;
  /** Pixels from the middle to an end, and from the middle line to a side. */
  readonly halfLength: number;
  readonly halfWidth: number;
  /** How far the ends bend away from the middle's direction, in pixels. */
  readonly bend: number;
  readonly colour: Colour;
  readonly opacity: number;
  /** Where on the brush's row of bristles this stroke's lie. */
  readonly bristle: number;
}

const BRISTLES = 512;

/** One over the part of a stroke in which its tip fades out. */
const TIP = 1 / 0.12;

/** Thickness of paint across a brush, 0..1: smooth, repeating, the same for every painting. */
const BRISTLE_ROW = Float32Array.from({ length: BRISTLES }, (_, i) => {
  const turn = (2 * Math.PI * i) / BRISTLES;
  const waves =
    Math.sin(17 * turn) + Math.sin(43 * turn + 1) + Math.sin(71 * turn + 2) + Math.sin(109 * turn + 4);
  return 0.5 + waves / 8;
});

/** Paints one stroke. Its ends are ragged where bristles carry little paint, its sides soft by one pixel. */
export function paintStroke(canvas: Canvas, stroke: BrushStroke): void {
  const { picture, relief } = canvas;
  const { width, height, l, a, b } = picture;
  const cos = Math.cos(stroke.angle);
  const sin = Math.sin(stroke.angle);
  const { halfLength, halfWidth, bend, opacity } = stroke;
  const { l: colourL, a: colourA, b: colourB } = stroke.colour;
  const side = halfWidth + abs(bend);
  const reachY = abs(sin) * halfLength + abs(cos) * side + 1;
  const reachX = abs(cos) * halfLength + abs(sin) * side + 1;
  const top = max(0, ceil(stroke.y - reachY));
  const bottom = min(height - 1, floor(stroke.y + reachY));
  const bow = bend / halfWidth;
  const stepAlong = cos / halfLength;
  const stepAside = sin / halfWidth;
  const softness = max(1, halfWidth);
  const soft = 1 - 1 / softness;
  for (let y = top; y <= bottom; y++) {
    const dy = y - stroke.y;
    // The part of this row that lies between the stroke's ends and sides.
    let from = -reachX;
    let to = reachX;
    if (abs(cos) > 1e-3) {
      const one = (-halfLength - dy * sin) / cos;
      const other = (halfLength - dy * sin) / cos;
      from = max(from, min(one, other));
      to = min(to, max(one, other));
    }
    if (abs(sin) > 1e-3) {
      const one = (dy * cos - side) / sin;
      const other = (dy * cos + side) / sin;
      from = max(from, min(one, other));
      to = min(to, max(one, other));
    }
    const left = max(0, ceil(stroke.x + from));
    const right = min(width - 1, floor(stroke.x + to));
    let along = ((left - stroke.x) * cos + dy * sin) / halfLength;
    let aside = (dy * cos - (left - stroke.x) * sin) / halfWidth;
    for (
      let i = y * width + left, end = y * width + right;
      i <= end;
      i++, along += stepAlong, aside -= stepAside
    ) {
      const across = aside - bow * along * along;
      const distance = across < 0 ? -across : across;
      if (distance >= 1) continue;
      const paint = BRISTLE_ROW[((across + 1) * 60 + stroke.bristle) & (BRISTLES - 1)]!;
      // Round tips, where bristles with little paint run dry earlier.
      const rest = (0.76 + 0.24 * paint) * (1 - 0.35 * across * across) - (along < 0 ? -along : along);
      if (rest <= 0) continue;
      let alpha = opacity * (0.75 + 0.25 * paint);
      if (distance > soft) alpha *= (1 - distance) * softness;
      if (rest < 0.12) alpha *= rest * TIP;
      l[i]! += (colourL - l[i]!) * alpha;
      a[i]! += (colourA - a[i]!) * alpha;
      b[i]! += (colourB - b[i]!) * alpha;
      relief[i]! += (paint + 0.35 * distance * distance - relief[i]!) * alpha;
    }
  }
}

/** Lights the paint from the upper left. `strength` is the change of lightness on the steepest flank. */
export function lightRelief(canvas: Canvas, strength: number): void {
  const { picture, relief } = canvas;
  const { width, height, l } = picture;
  for (let y = 0, i = 0; y < height; y++) {
    const up = y > 0 ? width : 0;
    const down = y < height - 1 ? width : 0;
    for (let x = 0; x < width; x++, i++) {
      const before = relief[i - up - (x > 0 ? 1 : 0)]!;
      const after = relief[i + down + (x < width - 1 ? 1 : 0)]!;
      const slope = after - before;
      // Light paint glows less than dark paint shines.
      l[i]! += slope * strength * (1.1 - 0.5 * smoothstep(0.6, 1, l[i]!));
    }
  }
}
