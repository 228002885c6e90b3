import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type TrashEntryDto, x12 } from '../api/index.ts';
import { notifyDone, offerUndo } from '../ui/index.ts';
import { useRole } from './session.ts';

/** Pages of the trash in which what was just deleted is looked for. */
const REACH = 10;

/** Notifies of a deletion, and offers to undo it to users who may restore the item, if the trash has it. */
export function useDeletionNotice() {
  const queries = useQueryClient();
  const mayRestore = useRole('admin');
  return async (message: string, kind: TrashEntryDto['kind'], itemId: number): Promise<void> => {
    const undo = mayRestore ? await undoOfDeletion(queries, kind, [itemId]).catch(() => null) : null;
    if (undo) offerUndo(message, undo);
    else notifyDone(message);
  };
}

/** How to restore items that were just deleted; null unless the trash has all of them. */
export async function undoOfDeletion(
  queries: QueryClient,
  kind: TrashEntryDto['kind'],
  itemIds: readonly number[],
): Promise<(() => Promise<void>) | null> {
  const wanted = new Set(itemIds);
  const entries: number[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < REACH && wanted.size > 0; page++) {
    const { trash, next_cursor } = await x12.trash.list({ limit: 100, ...(cursor !== null && { cursor }) });
    for (const entry of trash) if (entry.kind === kind && wanted.delete(entry.item_id)) entries.push(entry.id);
    cursor = next_cursor;
    if (cursor === null) break;
  }
  if (wanted.size > 0) return null;
  return async () => {
    for (const id of entries) await x12.trash.restore({ id });
    await queries.invalidateQueries();
  };
}
