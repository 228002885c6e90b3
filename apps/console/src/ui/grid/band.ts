import { type Layout, tilesBetween } from './columns.ts';
import type { Selection } from './selection.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Band {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function bandOf(from: Point, to: Point): Band {
  return {
    left: Math.min(from.x, to.x),
    top: Math.min(from.y, to.y),
    right: Math.max(from.x, to.x),
    bottom: Math.max(from.y, to.y),
  };
}

/** Indexes of the tiles that a band touches, in order. */
export function tilesIn(layout: Layout, { left, top, right, bottom }: Band): number[] {
  return tilesBetween(layout, top, bottom).filter((index) => {
    const { x, width } = layout.places[index]!;
    return x < right && x + width > left;
  });
}

/** The selection with the tiles of a band. @returns `shown` itself if that is what is shown */
export function withBand(before: Selection, ids: readonly number[], shown: Selection): Selection {
  const all = new Set([...before.ids, ...ids]);
  if (all.size === shown.ids.size && ids.every((id) => shown.ids.has(id))) return shown;
  return { ids: all, anchor: ids.at(-1) ?? before.anchor };
}

/** CSS pixels from the border of the window in which the page scrolls, and that it scrolls in a frame at most. */
const BORDER = 70;
const FASTEST = 26;

/** How far the page scrolls in a frame while the pointer is at `y` of a window. */
export function scrollAt(y: number, height: number): number {
  const over = y < BORDER ? y - BORDER : Math.max(0, y - (height - BORDER));
  return Math.round(Math.max(-1, Math.min(1, over / BORDER)) * FASTEST);
}
