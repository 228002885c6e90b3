import type { Board, Deleted } from '../domain/board.ts';

/** The boards of workspaces. A board that is not there, or in another workspace, is `null`. */
export interface Boards {
  add(board: {
    readonly workspaceId: number;
    readonly createdBy: number;
    readonly name: string;
    readonly createdAt: Date;
  }): Promise<Board>;

  /** With `name` undefined nothing changes. */
  update(workspaceId: number, boardId: number, change: { readonly name?: string }): Promise<Board | null>;

  /**
   * From now on the board and everything on it is gone for every reader, at the cost of one row. What is left of
   * it is taken away by `purge`.
   */
  remove(workspaceId: number, boardId: number, at: Date): Promise<Deleted | null>;

  /**
   * Deletes up to `limit` media of a removed board, then its folders and the board itself. Call it until `done`.
   *
   * @returns the files that the deleted media needed
   */
  purge(
    boardId: number,
    limit: number,
  ): Promise<{ readonly fileIds: readonly number[]; readonly done: boolean }>;
}
