import { Brush, Eraser, type LucideIcon, Lasso, Scaling, SquareDashed, WandSparkles } from 'lucide-react';

export const TOOLS = ['brush', 'eraser', 'lasso', 'rectangle', 'object', 'extend'] as const;
export type Tool = (typeof TOOLS)[number];

export const TOOL_ICONS: Readonly<Record<Tool, LucideIcon>> = {
  brush: Brush,
  eraser: Eraser,
  lasso: Lasso,
  rectangle: SquareDashed,
  object: WandSparkles,
  extend: Scaling,
};

/** By the key that is pressed. */
export const TOOL_KEYS: Readonly<Record<Tool, string>> = {
  brush: 'b',
  eraser: 'e',
  lasso: 'l',
  rectangle: 'r',
  object: 'o',
  extend: 'x',
};

const SMALLEST_BRUSH = 1;

/** Pixels of the picture. */
export function largestBrush(longest: number): number {
  return Math.max(8, Math.round(longest / 3));
}

export function firstBrush(longest: number): number {
  return Math.max(4, Math.round(longest / 20));
}

/** The next larger or smaller brush: a tenth more or less, at least by one pixel. */
export function nextBrush(size: number, direction: 1 | -1, longest: number): number {
  const next = direction > 0 ? Math.max(size + 1, size * 1.1) : Math.min(size - 1, size / 1.1);
  return Math.min(Math.max(Math.round(next), SMALLEST_BRUSH), largestBrush(longest));
}

/** The place of a brush on a slider from 0 to 100, on which each step is the same share larger. */
export function brushPlace(size: number, longest: number): number {
  return Math.round((Math.log(size / SMALLEST_BRUSH) / Math.log(largestBrush(longest) / SMALLEST_BRUSH)) * 100);
}

export function brushAt(place: number, longest: number): number {
  return Math.max(
    SMALLEST_BRUSH,
    Math.round(SMALLEST_BRUSH * (largestBrush(longest) / SMALLEST_BRUSH) ** (place / 100)),
  );
}
