import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type FolderDto, type MediaDto, x12 } from '../../api/index.ts';
import { useUndoOfDeletion } from '../../shell/index.ts';
import { makeWithUndo, notifyDone, notifyError, offerUndo } from '../../ui/index.ts';
import { uploads } from '../../uploads/index.ts';
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
    return { refresh: board.refresh, ...existingMedia(board), ...newMedia(board), ...folders(board) };
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

function existingMedia({ boardId, queries, deletion, path, attempt }: Board) {
  const moveIds = (ids: readonly number[], folderId: number | null) =>
    attempt({ kind: 'move', ids: new Set(ids), folderId }, () =>
      eachOf(bulksOf(ids), (some) => x12.boards.media.moveMany({ ...path, ids: some, folder_id: folderId })),
    );
  return {
    moveMedia: async (media: readonly MediaDto[], folderId: number | null, target: string) => {
      const moved = media.filter(({ folder_id }) => folder_id !== folderId);
      if (moved.length === 0) return;
      const before = Map.groupBy(moved, ({ folder_id }) => folder_id);
      if (!(await moveIds(idsOf(moved), folderId))) return;
      offerUndo(words.moved(moved.length, target), () =>
        Promise.all([...before].map(([from, some]) => moveIds(idsOf(some), from))),
      );
    },

    deleteMedia: (media: readonly MediaDto[]) => {
      const ids = idsOf(media);
      const removeSome = (some: number[]) => x12.boards.media.deleteMany({ ...path, ids: some }, { keepalive: true });
      void makeWithUndo(boardChanges, queries, {
        message: deletion.notice(words.deleted(ids.length)),
        show: changeOf(boardId, { kind: 'delete', ids: new Set(ids) }),
        failure: words.notDeleted(ids.length),
        work: async () => {
          // All requests at once, as the page may be closing.
          await Promise.all(bulksOf(ids).map(removeSome));
          return deletion.undoOf('media', ids);
        },
      });
    },

    rename: ({ id }: MediaDto, name: string) =>
      attempt({ kind: 'item', id, part: { name } }, () => x12.boards.media.update({ ...path, id, name })),

    retry: (media: readonly MediaDto[]) =>
      attempt({ kind: 'retry', ids: new Set(idsOf(media)) }, () =>
        eachOf(media, ({ id }) => x12.boards.media.retry({ ...path, id })),
      ),
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

const idsOf = (media: readonly MediaDto[]) => media.map(({ id }) => id);

function bulksOf(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / BULK) }, (_, bulk) => ids.slice(bulk * BULK, (bulk + 1) * BULK));
}
