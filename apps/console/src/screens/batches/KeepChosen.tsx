import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { useMemo } from 'react';
import { type CellDto, refresh, x12 } from '../../api/index.ts';
import { useRole } from '../../shell/index.ts';
import { ActionButton, notifyDone, offerUndo, useRecordDialogs } from '../../ui/index.ts';
import { chosenOf, type Ratings } from './best.ts';
import { words } from './words.ts';

const text = words.best;
/** Items that one call deletes. */
const AT_ONCE = 500;

/** Deletes the outputs without a rating, after a question that says how many. Absent while all or none have a rating. */
export function KeepChosen({ cells, ratings }: { readonly cells: readonly CellDto[]; readonly ratings: Ratings }) {
  const queries = useQueryClient();
  const { ask, dialogs } = useRecordDialogs();
  const mayRestore = useRole('admin');
  const { kept, gone } = useMemo(() => chosenOf(cells, ratings), [cells, ratings]);
  const deleteOthers = async () => {
    const { deleted, entries } = await deleteAll(gone);
    await refreshAll(queries);
    if (entries.length === 0 || !mayRestore) return notifyDone(text.kept(deleted));
    offerUndo(text.kept(deleted), async () => {
      for (const entry of entries) await x12.trash.restore({ id: entry });
      await refreshAll(queries);
    });
  };
  const question = {
    title: text.keepTitle,
    what: text.keepText(gone.length, kept.length),
    action: text.keepAction(gone.length),
  };
  return (
    <>
      {kept.length > 0 && gone.length > 0 && (
        <ActionButton
          icon={Star}
          iconSize={15}
          label={text.keep}
          variant="default"
          onClick={() => ask(question, deleteOthers)}
        />
      )}
      {dialogs}
    </>
  );
}

/** The service leaves out items that the caller may not delete. */
async function deleteAll(fileIds: readonly number[]) {
  const entries: number[] = [];
  let deleted = 0;
  for (let at = 0; at < fileIds.length; at += AT_ONCE) {
    const { file_ids, trash_id } = await x12.library.deleteMany({ file_ids: fileIds.slice(at, at + AT_ONCE) });
    deleted += file_ids.length;
    if (trash_id !== null) entries.push(trash_id);
  }
  return { deleted, entries };
}

function refreshAll(queries: QueryClient): Promise<void> {
  return refresh(queries, 'batches', 'library', 'generations', 'trash');
}
