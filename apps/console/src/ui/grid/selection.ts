/** The selected media. A range starts at the anchor, the last selected item. */
export interface Selection {
  readonly ids: ReadonlySet<number>;
  readonly anchor: number | null;
}

export const NOTHING: Selection = { ids: new Set(), anchor: null };

export function toggled({ ids }: Selection, id: number): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, anchor: id };
}

/** Adds the items from the anchor to `id`. @param order all ids, as they are shown */
export function extended({ ids, anchor }: Selection, id: number, order: readonly number[]): Selection {
  const [from, to] = [order.indexOf(anchor ?? id), order.indexOf(id)];
  if (from < 0) return { ids: new Set([...ids, id]), anchor: id };
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ids: new Set([...ids, ...range]), anchor };
}

export function allOf(order: readonly number[]): Selection {
  return { ids: new Set(order), anchor: order[0] ?? null };
}

/** Removes items that are no longer shown. */
export function keptIn(selection: Selection, shown: ReadonlySet<number>): Selection {
  if (selection.ids.size === 0) return selection;
  const ids = new Set([...selection.ids].filter((id) => shown.has(id)));
  return ids.size === selection.ids.size ? selection : { ...selection, ids };
}
