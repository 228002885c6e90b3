import type { BoardsGetResponse, FolderDto, MediaDto, WholeBoardDto } from '../../api/index.ts';
import { Changes, type Show } from '../../state/index.ts';

/** A change that is shown before the service confirms it. Ids of notes are negative. */
export type Change =
  | { readonly kind: 'move'; readonly ids: ReadonlySet<number>; readonly folderId: number | null }
  | { readonly kind: 'delete'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'order'; readonly places: ReadonlyMap<number, number> }
  | { readonly kind: 'retry'; readonly ids: ReadonlySet<number> }
  | {
      readonly kind: 'item';
      readonly id: number;
      readonly part: Partial<Pick<MediaDto, 'name' | 'decision' | 'changes_open'>>;
    }
  | { readonly kind: 'folder'; readonly id: number; readonly part: Partial<Pick<FolderDto, 'name' | 'parent_id'>> };

export const boardChanges = new Changes<BoardsGetResponse>('boards', 'trash');

export function changeOf(boardId: number, change: Change): Show<BoardsGetResponse> {
  return (data) => (data.board.id === boardId ? { ...data, board: withChange(data.board, change) } : data);
}

/** The board after the change. */
export function withChange(board: WholeBoardDto, change: Change): WholeBoardDto {
  const { folders, media, notes } = board;
  if (change.kind === 'folder') {
    return { ...board, folders: folders.map((each) => (each.id === change.id ? { ...each, ...change.part } : each)) };
  }
  if (change.kind === 'delete') {
    const isLeft = ({ id }: { readonly id: number }) => !change.ids.has(id);
    return { ...board, media: media.filter(isLeft), notes: notes.filter(isLeft) };
  }
  const changed = <T extends { readonly id: number }>(entry: T): T => {
    const part = partOf(change, entry.id);
    return part ? { ...entry, ...part } : entry;
  };
  return { ...board, media: media.map(changed), notes: notes.map(changed) };
}

/** The fields of an entry that a change has; false for none. */
function partOf(change: Exclude<Change, { readonly kind: 'folder' | 'delete' }>, id: number) {
  switch (change.kind) {
    case 'move':
      return change.ids.has(id) && { folder_id: change.folderId };
    case 'order':
      return change.places.has(id) && { place: change.places.get(id) };
    case 'retry':
      return change.ids.has(id) && { state: 'created', error: null };
    case 'item':
      return change.id === id && change.part;
  }
}
