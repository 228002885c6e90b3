import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type FolderDto, type MediaDto, type NoteDto, x12 } from '../../api/index.ts';
import { useUndoOfDeletion } from '../../shell/index.ts';
import { makeWithUndo, notifyDone, notifyError, offerUndo, type Placing } from '../../ui/index.ts';
import { uploads } from '../../uploads/index.ts';
import { type Entry, isNote, runsOf } from './board-order.ts';
import { boardChanges, type Change, changeOf } from './changes.ts';
import { eachOf } from './each-of.ts';
import { words } from './words.ts';

/** Maximum media of one request. */
const BULK = 500;

export type BoardActions = ReturnType<typeof useBoardActions>;

/** The actions on a board. Each shows its result at once, and reverts it if the service refuses. */
export function useBoardActions(boardId: number) {
  const queries = useQueryClient();
  const deletion = useUndoOfDeletion();
  return useMemo(() => {
    const board: Board = {
      boardId,
      queries,
      deletion,
      path: { board_id: boardId },
      refresh: () => boardChanges.refresh(queries),
      attempt: async (change, work) => {
        try {
          await boardChanges.make(queries, changeOf(boardId, change), work);
          return true;
        } catch (error) {
          notifyError(error);
          return false;
        }
      },
    };
    return {
      refresh: board.refresh,
      delete: removal(board),
      ...existingMedia(board),
      ...order(board),
      ...newMedia(board),
      ...folders(board),
    };
  }, [boardId, queries, deletion]);
}

interface Board {
  readonly boardId: number;
  readonly queries: QueryClient;
  readonly deletion: ReturnType<typeof useUndoOfDeletion>;
  readonly path: { readonly board_id: number };
  readonly refresh: () => Promise<void>;
  /** @returns whether the change succeeded */
  readonly attempt: (change: Change, work: () => Promise<unknown>) => Promise<boolean>;
}

function existingMedia({ path, attempt }: Board) {
  const moveIds = (ids: readonly number[], folderId: number | null) =>
    attempt({ kind: 'move', ids: new Set(ids), folderId }, () =>
      eachOf(runsOf(ids, BULK), (some) =>
        some[0]! < 0
          ? x12.boards.notes.update({ ...path, id: -some[0]!, folder_id: folderId })
          : x12.boards.media.moveMany({ ...path, ids: some, folder_id: folderId }),
      ),
    );
  return {
    move: async (entries: readonly Entry[], folderId: number | null, target: string) => {
      const moved = entries.filter(({ folder_id }) => folder_id !== folderId);
      if (moved.length === 0) return;
      const before = Map.groupBy(moved, ({ folder_id }) => folder_id);
      if (!(await moveIds(idsOf(moved), folderId))) return;
      offerUndo(words.moved(moved.length, target), () =>
        Promise.all([...before].map(([from, some]) => moveIds(idsOf(some), from))),
      );
    },

    rename: ({ id }: MediaDto, name: string) =>
      attempt({ kind: 'item', id, part: { name } }, () => x12.boards.media.update({ ...path, id, name })),

    retry: (media: readonly MediaDto[]) =>
      attempt({ kind: 'retry', ids: new Set(idsOf(media)) }, () =>
        eachOf(media, ({ id }) => x12.boards.media.retry({ ...path, id })),
      ),
  };
}

function removal({ boardId, queries, deletion, path, refresh }: Board) {
  /** @param order the ids of the folder in their order: notes come back to their places */
  return (entries: readonly Entry[], order: readonly number[]) => {
    const [notes, ids] = [entries.filter(isNote), idsOf(entries.filter((entry) => !isNote(entry)))];
    const gone = new Set(idsOf(entries));
    const rewrite = ({ id, text, folder_id }: NoteDto) => {
      const after = order.slice(0, order.indexOf(id)).findLast((each) => !gone.has(each));
      return x12.boards.notes.create({ ...path, text, folder_id, ...behind(after ?? null) });
    };
    const message = words.deleted(gone.size);
    void makeWithUndo(boardChanges, queries, {
      message: ids.length > 0 ? deletion.notice(message) : message,
      show: changeOf(boardId, { kind: 'delete', ids: gone }),
      failure: words.notDeleted(gone.size),
      work: async () => {
        // All requests at once, as the page may be closing.
        await Promise.all([
          ...runsOf(ids, BULK).map((some) => x12.boards.media.deleteMany({ ...path, ids: some }, { keepalive: true })),
          ...notes.map(({ id }) => x12.boards.notes.delete({ ...path, id: -id }, { keepalive: true })),
        ]);
        const restore = ids.length > 0 ? await deletion.undoOf('media', ids) : async () => {};
        if (!restore) return null;
        return async () => {
          await restore();
          for (const note of notes) await rewrite(note);
          await refresh();
        };
      },
    });
  };
}

/** The place that comes after an entry, as requests name it. */
function behind(after: number | null) {
  return after !== null && after < 0 ? { after_note: -after } : { after };
}

function order({ path, refresh, attempt }: Board) {
  let last: Promise<unknown> = Promise.resolve();
  const put = async ({ ids, after }: Placing) => {
    let before = after;
    for (const run of runsOf(ids, BULK)) {
      const [id] = run;
      if (id! < 0) await x12.boards.notes.update({ ...path, id: -id!, ...behind(before) });
      else await x12.boards.media.order({ ...path, ids: run, ...behind(before) });
      before = run.at(-1)!;
    }
  };
  return {
    /** @param places the places that the service will give. Requests wait for each other: a later one builds on the earlier ones */
    order: (placing: Placing, places: ReadonlyMap<number, number>) =>
      attempt({ kind: 'order', places }, () => (last = last.catch(() => {}).then(() => put(placing)))),

    /** Writes a note after an entry, or changes its text. @throws the error of the service */
    write: async ({ id, folder_id }: NoteDto, text: string, after: number | null) => {
      if (id < 0) await x12.boards.notes.update({ ...path, id: -id, text });
      else await x12.boards.notes.create({ ...path, text, folder_id, ...behind(after) });
      await refresh();
    },
  };
}

function newMedia({ path, refresh }: Board) {
  return {
    add: async (media: readonly { url: string; extras?: string }[], folderId: number | null) => {
      try {
        await eachOf(media, (each) => x12.boards.media.create({ ...path, ...each, folder_id: folderId }));
        notifyDone(words.added(media.length));
      } catch (error) {
        notifyError(error);
      }
      await refresh();
    },

    upload: (files: readonly File[], folderId: number | null, target: string) => {
      const then = async ({ url }: { readonly url: string }) => {
        await x12.boards.media.create({ ...path, url, folder_id: folderId });
        await refresh();
      };
      for (const file of files) uploads.add(file, { purpose: target, then });
    },
  };
}

function folders({ path, refresh, attempt }: Board) {
  const updateFolder = (id: number, part: Partial<Pick<FolderDto, 'name' | 'parent_id'>>) =>
    attempt({ kind: 'folder', id, part }, () => x12.boards.folders.update({ ...path, id, ...part }));
  return {
    updateFolder,

    moveFolder: async (folder: FolderDto, parentId: number | null, target: string) => {
      if (!(await updateFolder(folder.id, { parent_id: parentId }))) return;
      offerUndo(words.movedFolder(folder.name, target), () => updateFolder(folder.id, { parent_id: folder.parent_id }));
    },

    createFolder: async (name: string, parentId: number | null): Promise<FolderDto> => {
      const { folder } = await x12.boards.folders.create({ ...path, name, parent_id: parentId });
      await refresh();
      return folder;
    },
  };
}

const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id);
