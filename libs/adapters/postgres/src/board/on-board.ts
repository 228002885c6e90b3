import { sql, type Expression } from 'kysely';
import { build, type Param } from '../prepared.ts';

/** Named by every request that concerns a board. */
export interface OnBoard {
  readonly workspaceId: number;
  readonly boardId: number;
}

/** The board, unless it is deleted or in another workspace. */
export const boardOf = (param: Param<OnBoard>) =>
  build
    .selectFrom('boards')
    .where('boards.id', '=', param('boardId'))
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where('boards.deleted_at', 'is', null);

/** Changes the board, which locks its row: whoever changes the same board waits there, and nowhere else. */
export const changeBoard = (param: Param<OnBoard>) =>
  build
    .updateTable('boards')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('boards.id', '=', param('boardId'))
    .where('boards.workspace_id', '=', param('workspaceId'))
    .where('boards.deleted_at', 'is', null);

/** The files that media refer to; `null` for none. */
export const filesOf = (media: Expression<{ id: number }>) =>
  build
    .selectFrom('media_files')
    .select(sql<number[] | null>`array_agg(distinct file_id)`.as('ids'))
    .where(sql<boolean>`media_id in (${media})`);
