import { useMemo, useState } from 'react';
import type { MediaDto, WholeBoardDto } from '../../api/index.ts';
import type { Shared } from '../../sharing/index.ts';
import { downloadZip, NOTHING, notifyDone, notifyError, refusalToDownload, useSelection } from '../../ui/index.ts';
import type { DropHandlers } from './drag-and-drop.ts';
import { canMoveInto, type FolderTree } from './folder-tree.ts';
import type { Decision } from './review/decisions.ts';
import { type BoardActions, useBoardActions } from './use-board-actions.ts';

export interface OpenFolder {
  readonly board: WholeBoardDto;
  readonly tree: FolderTree;
  /** Null for the board's root. */
  readonly folderId: number | null;
  /** Only media with this decision are shown; null for all. */
  readonly decision: Decision | null;
}

export type FolderView = ReturnType<typeof useFolderView>;

/** The open folder of a board, or its root: its contents, the selected items, and the dialogs about items. */
export function useFolderView({ board, tree, folderId, decision }: OpenFolder) {
  const actions = useBoardActions(board.id);
  const folder = folderId === null ? null : tree.byId.get(folderId)!;
  const inFolder = useMemo(() => board.media.filter(({ folder_id }) => folder_id === folderId), [board, folderId]);
  const media = useMemo(
    () => (decision === null ? inFolder : inFolder.filter((each) => each.decision === decision)),
    [inFolder, decision],
  );
  const { selection, select } = useSelection(media);
  const [shared, share] = useState<Shared | null>(null);
  const [movedIds, askWhere] = useState<readonly number[] | null>(null);
  const [copied, setCopied] = useState<readonly MediaDto[] | null>(null);
  const mediaOf = (ids: readonly number[]) => {
    const all = new Set(ids);
    return board.media.filter(({ id }) => all.has(id));
  };
  const nameOfFolder = (id: number | null) => (id === null ? board.name : tree.byId.get(id)!.name);
  const move = (ids: readonly number[], target: number | null) => {
    select(NOTHING);
    void actions.moveMedia(mediaOf(ids), target, nameOfFolder(target));
  };
  return {
    board,
    tree,
    folder,
    folderId,
    title: folder?.name ?? board.name,
    folders: folder?.children ?? tree.roots,
    /** All media of the folder; `media` are those with the decision. */
    inFolder,
    media,
    actions,
    ...{ selection, select, shared, share, movedIds, askWhere, copied },
    copy: (ids: readonly number[] | null) => setCopied(ids && mediaOf(ids)),
    move,
    remove: (ids: readonly number[]) => {
      select(NOTHING);
      actions.deleteMedia(mediaOf(ids));
    },
    handlers: dropHandlers({ board, tree, actions, move, nameOfFolder }),
  };
}

export function downloadMedia(ids: readonly number[]): void {
  const refusal = refusalToDownload(ids.length);
  if (refusal) return notifyDone(refusal);
  void downloadZip({ media_ids: [...ids] }).catch(notifyError);
}

interface DropOptions extends Pick<OpenFolder, 'board' | 'tree'> {
  readonly actions: BoardActions;
  readonly move: (ids: readonly number[], target: number | null) => void;
  readonly nameOfFolder: (id: number | null) => string;
}

function dropHandlers({ board, tree, actions, move, nameOfFolder }: DropOptions): DropHandlers {
  return {
    accepts: (cargo, target) => {
      if (cargo.kind === 'folder') return canMoveInto(tree, cargo.id, target);
      if (cargo.kind !== 'media') return false;
      const dragged = new Set(cargo.ids);
      return board.media.some(({ id, folder_id }) => dragged.has(id) && folder_id !== target);
    },
    onDrop: (cargo, target) => {
      if (cargo.kind === 'media') return move(cargo.ids, target);
      const folder = tree.byId.get(cargo.id);
      if (folder) void actions.moveFolder(folder, target, nameOfFolder(target));
    },
    onFiles: (files, target) => actions.upload(files, target, nameOfFolder(target)),
  };
}
