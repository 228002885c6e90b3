import { useQueryClient } from '@tanstack/react-query';
import { type TrashEntryDto, x12 } from '../api/index.ts';
import { notifyDone, offerUndo } from '../ui/index.ts';
import { useRole } from './session.ts';

/** Notifies of a deletion, and offers to undo it to users who may restore the item, if the trash has it. */
export function useDeletionNotice() {
  const queries = useQueryClient();
  const mayRestore = useRole('admin');
  return async (message: string, kind: TrashEntryDto['kind'], itemId: number): Promise<void> => {
    const entry = mayRestore ? await findEntry(kind, itemId).catch(() => undefined) : undefined;
    if (!entry) return notifyDone(message);
    offerUndo(message, async () => {
      await x12.trash.restore({ id: entry.id });
      await queries.invalidateQueries();
    });
  };
}

async function findEntry(kind: TrashEntryDto['kind'], itemId: number): Promise<TrashEntryDto | undefined> {
  const { trash } = await x12.trash.list({ limit: 20 });
  return trash.find((entry) => entry.kind === kind && entry.item_id === itemId);
}
