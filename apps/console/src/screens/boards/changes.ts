import type { BoardsGetResponse, FolderDto, MediaDto, WholeBoardDto } from '../../api/index.ts';
import { Changes, type Show } from '../../state/index.ts';

/** A change that is shown before the service confirms it. */
export type Change =
  | { readonly kind: 'move'; readonly ids: ReadonlySet<number>; readonly folderId: number | null }
  | { readonly kind: 'delete'; readonly ids: ReadonlySet<number> }
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
  const { folders, media } = board;
  if (change.kind === 'folder') {
    return { ...board, folders: folders.map((each) => (each.id === change.id ? { ...each, ...change.part } : each)) };
  }
  if (change.kind === 'delete') return { ...board, media: media.filter(({ id }) => !change.ids.has(id)) };
  if (change.kind === 'item') {
    return { ...board, media: media.map((each) => (each.id === change.id ? { ...each, ...change.part } : each)) };
  }
  const part = change.kind === 'move' ? { folder_id: change.folderId } : ({ state: 'created', error: null } as const);
  return { ...board, media: media.map((each) => (change.ids.has(each.id) ? { ...each, ...part } : each)) };
}
