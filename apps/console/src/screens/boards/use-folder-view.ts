import { useMemo, useState } from 'react';
import type { MediaDto, NoteDto, WholeBoardDto } from '../../api/index.ts';
import type { Shared } from '../../sharing/index.ts';
import {
  downloadZip,
  inPlace,
  NOTHING,
  notifyDone,
  notifyError,
  placedAt,
  placedBy,
  type Placing,
  refusalToDownload,
  useSelection,
} from '../../ui/index.ts';
import { byHand, DRAFT, type Entry, placesFor, sorted, sortIn } from './board-order.ts';
import type { DropHandlers } from './drag-and-drop.ts';
import { canMoveInto, type FolderTree, rowsOf } from './folder-tree.ts';
import { decisionIn, hasDecision } from './review/decisions.ts';
import { type BoardActions, useBoardActions } from './use-board-actions.ts';
import { useFound } from './use-found.ts';
import { words } from './words.ts';

/** All media and notes of a folder, by hand. */
export const NO_FILTER = { q: '', tags: '', decision: '', sort: '' };
export type BoardFilter = Readonly<typeof NO_FILTER>;

export interface OpenFolder {
  readonly board: WholeBoardDto;
  readonly tree: FolderTree;
  /** Null for the board's root. */
  readonly folderId: number | null;
  readonly filter: BoardFilter;
  readonly onFilter: (part: Partial<BoardFilter>) => void;
}

export type FolderView = ReturnType<typeof useFolderView>;

/** The open folder of a board, or its root: its contents, the selected entries, and the dialogs about entries. */
export function useFolderView(open: OpenFolder) {
  const { board, tree, folderId } = open;
  const actions = useBoardActions(board.id);
  const folder = folderId === null ? null : tree.byId.get(folderId)!;
  const shown = useShown(open);
  const { selection, select, order } = useSelection(shown.entries);
  const [shared, share] = useState<Shared | null>(null);
  const [movedIds, askWhere] = useState<readonly number[] | null>(null);
  const [copied, setCopied] = useState<readonly MediaDto[] | null>(null);
  const entriesOf = (ids: readonly number[]) => among<Entry>([...board.media, ...board.notes], ids);
  const nameOfFolder = (id: number | null) => (id === null ? board.name : tree.byId.get(id)!.name);
  const move = (ids: readonly number[], target: number | null) => {
    select(NOTHING);
    void actions.move(entriesOf(ids), target, nameOfFolder(target));
  };
  return {
    board,
    tree,
    folder,
    folderId,
    title: folder?.name ?? board.name,
    actions,
    ...shown,
    ...useNotes(open, shown.entries, actions),
    ...useOrder(shown.entries, actions),
    ...{ selection, select, shared, share, movedIds, askWhere, copied },
    copy: (ids: readonly number[] | null) => setCopied(ids && among(board.media, ids)),
    move,
    remove: (ids: readonly number[]) => {
      select(NOTHING);
      actions.delete(entriesOf(ids), order);
    },
    handlers: dropHandlers({ tree, actions, move, nameOfFolder, entriesOf }),
  };
}

/** The contents of the open folder that match the filter, in order. Words and tags are looked for in the folders within, too. */
function useShown({ board, tree, folderId, filter }: OpenFolder) {
  const q = filter.q.trim();
  const tags = useMemo(() => filter.tags.split(',').filter(Boolean), [filter.tags]);
  const { found, error: searchError } = useFound(board.id, q, tags);
  const [decision, sort] = [decisionIn(filter.decision), sortIn(filter.sort)];
  const isSearch = q !== '' || tags.length > 0;
  const isByHand = sort === 'manual' && decision === null && !isSearch;
  const inFolder = useMemo(() => board.media.filter(({ folder_id }) => folder_id === folderId), [board, folderId]);
  const within = useMemo(() => {
    const folder = tree.byId.get(folderId ?? 0);
    const ids = new Set(folder && rowsOf({ ...tree, roots: [folder] }, () => true).map(({ id }) => id));
    return board.media.filter(({ folder_id }) => !folder || ids.has(folder_id ?? 0));
  }, [board, tree, folderId]);
  const media = useMemo(() => {
    const matching = found ? within.filter(({ id }) => found.has(id)) : inFolder;
    return sorted(decision ? matching.filter((each) => hasDecision(each, decision)) : matching, sort);
  }, [within, inFolder, found, decision, sort]);
  const entries = useMemo((): readonly Entry[] => {
    return isByHand ? byHand([...media, ...board.notes.filter(({ folder_id }) => folder_id === folderId)]) : media;
  }, [isByHand, media, board, folderId]);
  /** Folders are shown where nothing is searched. */
  const folders = isSearch ? [] : folderId === null ? tree.roots : tree.byId.get(folderId)!.children;
  /** All media of the folder are in `inFolder`; `media` match the filter, `entries` have the notes between them. */
  return { folders, inFolder, media, entries, tags, decision, isSearch, isByHand, searchError };
}

/** The note that is written. A new one is a draft among the tiles. */
function useNotes({ folderId, onFilter }: OpenFolder, entries: readonly Entry[], actions: BoardActions) {
  const [written, write] = useState<{ readonly note: NoteDto; readonly after: number | null } | null>(null);
  const tiles = useMemo(() => {
    if (written?.note.id !== 0) return entries;
    return entries.toSpliced(entries.findIndex(({ id }) => id === written.after) + 1, 0, written.note);
  }, [entries, written]);
  return {
    /** Entries with the draft. */
    tiles,
    note: written?.note ?? null,
    /** @param after the entry that it comes after; null for the first place */
    addNote: (after: number | null) => {
      onFilter(NO_FILTER);
      write({ note: { ...DRAFT, folder_id: folderId }, after });
    },
    openNote: (note: NoteDto | null) => write(note && { note, after: null }),
    saveNote: (text: string) => actions.write(written!.note, text, written!.after),
  };
}

function useOrder(entries: readonly Entry[], actions: BoardActions) {
  const [placed, setPlaced] = useState('');
  const order = entries.map(({ id }) => id);
  const place = (placing: Placing) => {
    const next = inPlace(order, placing);
    if (next.every((id, at) => id === order[at])) return;
    setPlaced(words.placed(next.indexOf(placing.ids[0]!) + 1, order.length));
    void actions.order(placing, placesFor(entries, placing.ids, next));
  };
  return {
    /** Said to screen readers after a change of the order. */
    placed,
    step: (ids: readonly number[], by: -1 | 1) => place(placedBy(order, new Set(ids), by)),
    drop: (ids: readonly number[], at: number) => place(placedAt(order, new Set(ids), at)),
  };
}

export function downloadMedia(ids: readonly number[]): void {
  const media = ids.filter((id) => id > 0);
  const refusal = refusalToDownload(media.length);
  if (refusal) return notifyDone(refusal);
  if (media.length > 0) void downloadZip({ media_ids: media }).catch(notifyError);
}

function among<T extends Entry>(entries: readonly T[], ids: readonly number[]): readonly T[] {
  const all = new Set(ids);
  return entries.filter(({ id }) => all.has(id));
}

interface DropOptions extends Pick<OpenFolder, 'tree'> {
  readonly actions: BoardActions;
  readonly move: (ids: readonly number[], target: number | null) => void;
  readonly nameOfFolder: (id: number | null) => string;
  readonly entriesOf: (ids: readonly number[]) => readonly Entry[];
}

function dropHandlers({ tree, actions, move, nameOfFolder, entriesOf }: DropOptions): DropHandlers {
  return {
    accepts: (cargo, target) => {
      if (cargo.kind === 'folder') return canMoveInto(tree, cargo.id, target);
      return cargo.kind === 'media' && entriesOf(cargo.ids).some(({ folder_id }) => folder_id !== target);
    },
    onDrop: (cargo, target) => {
      if (cargo.kind === 'media') return move(cargo.ids, target);
      const folder = tree.byId.get(cargo.id);
      if (folder) void actions.moveFolder(folder, target, nameOfFolder(target));
    },
    onFiles: (files, target) => actions.upload(files, target, nameOfFolder(target)),
  };
}
