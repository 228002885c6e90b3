import { useQueryClient } from '@tanstack/react-query';
import { type TrashEntryDto, x12, X12Error } from '../api/index.ts';
import { notifyDone, offerUndo } from '../ui/index.ts';
import { useRole } from './session.ts';

/** How long and how often it is tried to restore what is still being moved to the trash. */
const TRIES = 20;
const PAUSE_MS = 500;

/** Says that something is deleted, and offers its restoration to those who may, if the trash has it. */
export function useDeletionNotice() {
  const queries = useQueryClient();
  const mayRestore = useRole('admin');
  return async (message: string, kind: TrashEntryDto['kind'], itemId: number): Promise<void> => {
    const entry = mayRestore ? await findEntry(kind, itemId).catch(() => undefined) : undefined;
    if (!entry) return notifyDone(message);
    offerUndo(message, async () => {
      await restoreOnceMoved(entry.id);
      await queries.invalidateQueries();
    });
  };
}

async function findEntry(kind: TrashEntryDto['kind'], itemId: number): Promise<TrashEntryDto | undefined> {
  const { trash } = await x12.trash.list({ limit: 20 });
  return trash.find((entry) => entry.kind === kind && entry.item_id === itemId);
}

async function restoreOnceMoved(id: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await x12.trash.restore({ id });
      return;
    } catch (error) {
      if (tries === TRIES || !(error instanceof X12Error) || error.code !== 'conflict') throw error;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
