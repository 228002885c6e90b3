import { getStroke } from 'perfect-freehand';
import type { Drawing, Mark } from './drawing.ts';
import { frameOf, isExtended, type Point, type Rect, type Size } from './geometry.ts';

type Stroke = Extract<Mark, { readonly kind: 'stroke' }>;

/** A command that paints a mask, in pixels of the picture. */
export type Command =
  | {
      readonly op: 'fill' | 'erase';
      readonly outline: readonly Point[];
      /** True if the outline bends through its points. */
      readonly isSmooth: boolean;
    }
  /** Fills or erases the white part of a stored mask, which covers the picture. */
  | { readonly op: 'fill' | 'erase'; readonly url: string }
  | { readonly op: 'invert' };

/** How a mask of the exact size of the sent picture is painted. */
export interface MaskPlan {
  /** The part of the plane that the mask shows. */
  readonly frame: Rect;
  readonly commands: readonly Command[];
  /** Pixels over which edges fade. */
  readonly feather: number;
  /** The old picture within the frame: everything around it is white. Null if the frame is the picture. */
  readonly picture: Rect | null;
}

const outlines = new WeakMap<Mark, Command>();

export function planOf(drawing: Drawing, size: Size): MaskPlan {
  const { marks, feather, sides } = drawing;
  const picture = isExtended(sides) ? { x: 0, y: 0, ...size } : null;
  return { frame: frameOf(size, sides), commands: marks.flatMap(commandOf), feather, picture };
}

/** Kept for each mark: the outline of a stroke is computed once. */
export function commandOf(mark: Mark): readonly Command[] {
  const known = outlines.get(mark);
  if (known) return [known];
  const command = computed(mark);
  if (!command) return [];
  outlines.set(mark, command);
  return [command];
}

function computed(mark: Mark): Command | null {
  switch (mark.kind) {
    case 'clear':
      return null;
    case 'invert':
      return { op: 'invert' };
    case 'object':
      return { op: opOf(mark), url: mark.url };
    case 'rectangle':
      return { op: opOf(mark), outline: cornersOf(mark.rect), isSmooth: false };
    case 'lasso':
      return { op: opOf(mark), outline: pairsOf(mark.points, 2), isSmooth: false };
    case 'stroke':
      return { op: opOf(mark), outline: strokeOutline(mark), isSmooth: true };
  }
}

/** @param isFinished whether the line reaches its last point */
export function strokeOutline({ points, size, isPen }: Stroke, isFinished = true): readonly Point[] {
  const sampled = pairsOf(points, 3).map(({ x, y }, at) => [x, y, points[at * 3 + 2]!] as [number, number, number]);
  const outline = getStroke(sampled, {
    size,
    thinning: isPen ? 0.7 : 0,
    smoothing: 0.5,
    streamline: 0.3,
    simulatePressure: false,
    last: isFinished,
  });
  return outline.map(([x, y]) => ({ x, y }));
}

function opOf({ isErasing }: { readonly isErasing: boolean }): 'fill' | 'erase' {
  return isErasing ? 'erase' : 'fill';
}

function cornersOf({ x, y, width, height }: Rect): readonly Point[] {
  const [right, bottom] = [x + width, y + height];
  return [
    { x, y },
    { x: right, y },
    { x: right, y: bottom },
    { x, y: bottom },
  ];
}

/** The points of a list of numbers, each of which takes `step` numbers. */
function pairsOf(numbers: readonly number[], step: number): readonly Point[] {
  return Array.from({ length: Math.floor(numbers.length / step) }, (_, at) => ({
    x: numbers[at * step]!,
    y: numbers[at * step + 1]!,
  }));
}
