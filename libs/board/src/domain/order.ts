import { invalidField } from '#kernel';

/** Orders in which the media items of a board are listed. Equal items come newest first. */
export const MEDIA_SORTS = ['newest', 'oldest', 'manual', 'name', 'rating', 'decision'] as const;
export type MediaSort = (typeof MEDIA_SORTS)[number];

/** A media item of id n that nobody has ordered has the place `-n * PLACE_GAP`: newer ones come first. */
export const PLACE_GAP = 2 ** 20;
/** The least gap that neighbours get when they make room, so that it lasts for some time. */
const LEAST_GAP = 2 ** 10;

/** A media item or a note, which have places in a folder. */
export interface Item {
  readonly kind: 'media' | 'note';
  readonly id: number;
}

/** An item with its place among those of its folder: the lowest place comes first. */
export interface Placed extends Item {
  readonly place: number;
}

/** The item to come after, as callers name it; undefined if they name none, `null` for the first place. */
export interface AfterRequest {
  readonly after?: number | null;
  readonly afterNote?: number | null;
}

const keyOf = ({ kind, id }: Item) => `${kind} ${id}`;

/**
 * @returns `null` for the first place; undefined if the place stays
 * @throws DomainError `validation_failed` for two items to come after
 */
export function itemToFollow({ after, afterNote }: AfterRequest): Item | null | undefined {
  if (after && afterNote) throw invalidField('after_note', 'must not be given together with after');
  if (after) return { kind: 'media', id: after };
  if (afterNote) return { kind: 'note', id: afterNote };
  return after === null || afterNote === null ? null : undefined;
}

/**
 * The places of items that are put after another item of their folder, or first. Other items keep their places, unless
 * there is no room between two: then as many neighbours as need be get new places, and stay in their order.
 *
 * @param order the items of the folder, in their order
 * @param items in the order that they shall have; new ones, or some of `order`
 * @param after `null` for the first place. Media items that are added later come before it
 * @returns the items with new places
 * @throws DomainError `validation_failed` when `after` is one of the items or in another folder, or an item is there twice
 */
export function placed(order: readonly Placed[], items: readonly Item[], after: Item | null): readonly Placed[] {
  const moved = new Set(items.map(keyOf));
  if (moved.size < items.length) throw invalidField('ids', 'must name each item once');
  const others = order.filter((each) => !moved.has(keyOf(each)));
  const start = after === null ? 0 : others.findIndex((each) => keyOf(each) === keyOf(after)) + 1;
  if (after && start === 0) {
    const field = after.kind === 'note' ? 'after_note' : 'after';
    throw invalidField(field, 'must be in the same folder, and none of the items that are ordered');
  }
  let [from, to] = [start, start];
  for (let margin = 1; ; margin *= 2) {
    const row: readonly Item[] = [...others.slice(from, start), ...items, ...others.slice(start, to)];
    const before = others[from - 1]?.place ?? topOf(order);
    const behind = others[to]?.place ?? before + (row.length + 1) * PLACE_GAP;
    const gap = Math.floor((behind - before) / (row.length + 1));
    if (gap >= (from === to ? 1 : LEAST_GAP)) {
      return row.map(({ kind, id }, index) => ({ kind, id, place: before + gap * (index + 1) }));
    }
    from = Math.max(from - margin, 0);
    to = Math.min(to + margin, others.length);
  }
}

/** The lowest place that a media item that is added later may have. */
function topOf(order: readonly Placed[]): number {
  const newest = order.reduce((most, { kind, id }) => (kind === 'media' ? Math.max(most, id) : most), 0);
  return -(newest + 1) * PLACE_GAP;
}
