import type { Point } from './band.ts';
import type { Layout, Place } from './columns.ts';

/** A side of a tile, at which dragged items are dropped. */
export interface Gap {
  readonly index: number;
  readonly isAfter: boolean;
}

/** The gap that is nearest to a point. The layout has at least one tile. */
export function gapAt({ places }: Layout, { x, y }: Point): Gap {
  const distanceTo = ({ x: left, y: top, width, height }: Place) =>
    Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
  const distances = places.map(distanceTo);
  const index = distances.indexOf(distances.reduce((least, each) => Math.min(least, each)));
  return { index, isAfter: x > places[index]!.x + places[index]!.width / 2 };
}

/** An order by hand: the ids that are moved, as they stand, and the id that they come after; null for the first place. */
export interface Placing {
  readonly ids: readonly number[];
  readonly after: number | null;
}

/** Puts items at a place of the order, counted with them. */
export function placedAt(order: readonly number[], chosen: ReadonlySet<number>, at: number): Placing {
  const ids = order.filter((id) => chosen.has(id));
  return { ids, after: order.slice(0, at).findLast((id) => !chosen.has(id)) ?? null };
}

/** Moves items one place on among the others. */
export function placedBy(order: readonly number[], chosen: ReadonlySet<number>, step: -1 | 1): Placing {
  const others = order.filter((id) => !chosen.has(id));
  const before = order.findIndex((id) => chosen.has(id));
  return {
    ids: order.filter((id) => chosen.has(id)),
    after: others[Math.min(before + step, others.length) - 1] ?? null,
  };
}

/** The order after a change. */
export function inPlace(order: readonly number[], { ids, after }: Placing): readonly number[] {
  const others = order.filter((id) => !ids.includes(id));
  return others.toSpliced(after === null ? 0 : others.indexOf(after) + 1, 0, ...ids);
}
