import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  boardsListOptions,
  refresh,
  teamMembersListOptions,
  type TrashEntryDto,
  trashListInfiniteOptions,
  usePages,
  x12,
} from '../../api/index.ts';
import { useMe } from '../../shell/index.ts';
import { notifyDone, notifyError, uiWords } from '../../ui/index.ts';
import { words } from './words.ts';

/** The name of what was deleted. Media items have none; library items are named after the first. */
export function nameOf({ name, count }: TrashEntryDto): string {
  if (name === null) return words.untitled;
  return count > 1 ? words.andMore(name, count - 1) : name;
}

export const useTrash = () => usePages(trashListInfiniteOptions({ query: { limit: 50 } }), ({ trash }) => trash);

/** The names of the people and boards of entries. A personal workspace has one member. */
export function useTrashNames() {
  const { user, workspace } = useMe();
  const members = useQuery({ ...teamMembersListOptions(), enabled: workspace.is_team }).data?.members;
  const boards = useQuery(boardsListOptions()).data?.boards;
  return useMemo(() => {
    const people = [user, ...(members ?? []).map(({ user_id: id, name, email }) => ({ id, name, email }))];
    const personOf = ({ deleted_by }: TrashEntryDto) => {
      const person = people.find(({ id }) => id === deleted_by);
      return person ? person.name || person.email : uiWords.formerMember(deleted_by);
    };
    const kindOf = ({ kind, board_id }: TrashEntryDto) => {
      if (board_id === null) return words.kinds[kind];
      const board = boards?.find(({ id }) => id === board_id);
      return words.on(words.kinds[kind], board ? `“${board.name}”` : words.goneBoard);
    };
    return { personOf, kindOf };
  }, [user, members, boards]);
}

export function useTrashActions() {
  const queries = useQueryClient();
  return useMemo(() => {
    const restore = async (entry: TrashEntryDto) => {
      try {
        await x12.trash.restore({ id: entry.id });
        notifyDone(words.restored(nameOf(entry)));
      } catch (error) {
        notifyError(error, words.notRestored(nameOf(entry)));
      }
      // Restored items appear in other lists too.
      await queries.invalidateQueries();
    };
    const erase = async (entry: TrashEntryDto) => {
      await x12.trash.delete({ id: entry.id });
      await refresh(queries, 'trash');
    };
    return { restore, erase };
  }, [queries]);
}
