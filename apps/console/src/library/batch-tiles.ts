import type { BatchDto } from '../api/index.ts';
import type { Item } from './item.ts';

/** All pictures of a batch in one tile. */
export interface BatchTile {
  /** The id of the batch, negative: no item has it. */
  readonly id: number;
  readonly name: string;
  /** Null for an old batch, of which only the pictures are read. */
  readonly batch: BatchDto | null;
  /** Newest first; none before the first one is made. */
  readonly items: readonly Item[];
}

export type Entry = Item | BatchTile;

export const isBatch = (entry: Entry): entry is BatchTile => entry.id < 0;

/** The items with those of each batch together, in place of the newest. Open batches without a picture come first. */
export function withBatches(items: readonly Item[], batches: readonly BatchDto[]): readonly Entry[] {
  const known = new Map(batches.map((batch) => [batch.id, batch]));
  const ofBatch = Map.groupBy(items, ({ batch_id }) => batch_id);
  const tileOf = (id: number): BatchTile => {
    const batch = known.get(id) ?? null;
    const pictures = ofBatch.get(id) ?? [];
    return { id: -id, name: batch?.name ?? pictures[0]!.name, batch, items: pictures };
  };
  const first = batches.filter(({ id, state }) => state !== 'ended' && !ofBatch.has(id));
  const seen = new Set<number>();
  const entries = items.flatMap((item): Entry | [] => {
    if (item.batch_id === null) return item;
    if (seen.has(item.batch_id)) return [];
    seen.add(item.batch_id);
    return tileOf(item.batch_id);
  });
  return [...first.map(({ id }) => tileOf(id)), ...entries];
}
