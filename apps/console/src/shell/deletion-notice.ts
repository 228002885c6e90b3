import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type TrashEntryDto, x12 } from '../api/index.ts';
import { notifyDone, offerUndo } from '../ui/index.ts';
import { useRole } from './session.ts';
import { words } from './words.ts';

/** Pages of the trash in which what was just deleted is looked for. */
const REACH = 10;

/** Notifies of a deletion, and offers to undo it to users who may restore the item, if the trash has it. */
export function useDeletionNotice() {
  const { undoOf, notice } = useUndoOfDeletion();
  return async (message: string, kind: TrashEntryDto['kind'], itemId: number): Promise<void> => {
    const undo = await undoOf(kind, [itemId]);
    if (undo) offerUndo(message, undo);
    else notifyDone(notice(message));
  };
}

/** Lets users who may restore undo a deletion, and shows others who may. */
export function useUndoOfDeletion() {
  const queries = useQueryClient();
  const mayRestore = useRole('admin');
  return useMemo(
    () => ({
      /** @returns null if the user may not restore, or if the trash lacks one of the items or can't be read */
      undoOf: async (kind: TrashEntryDto['kind'], itemIds: readonly number[]) =>
        mayRestore ? undoOfDeletion(queries, kind, itemIds).catch(() => null) : null,
      notice: (message: string) => (mayRestore ? message : `${message}. ${words.trashKeeps}`),
    }),
    [queries, mayRestore],
  );
}

/** How to restore items that were just deleted; null unless the trash has all of them. */
async function undoOfDeletion(
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
