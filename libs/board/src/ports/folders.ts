import type { Deleted, Folder } from '../domain/board.ts';

/** The folders of a board. Whatever depends on where other folders are is decided under the board's lock. */
export interface Folders {
  /**
   * Waits for its turn at the board and keeps it until the surrounding unit of work ends. Counts as a change of
   * the board. False when the board is not there, or in another workspace.
   */
  lock(workspaceId: number, boardId: number): Promise<boolean>;

  /**
   * What a placement under `parentId` has to be judged by: the folders from the root down to it, and the levels of
   * `folderId` with what lies below it (1 when it is `null`). `null` names what is not on this board.
   */
  survey(
    boardId: number,
    parentId: number | null,
    folderId: number | null,
  ): Promise<
    { readonly path: readonly number[]; readonly height: number } | { readonly missing: 'parent' | 'folder' }
  >;

  /** Adds a folder where `survey` has allowed it, or at the root; `null` when the board is not in the workspace. */
  add(folder: {
    readonly workspaceId: number;
    readonly boardId: number;
    readonly parentId: number | null;
    readonly name: string;
    readonly createdAt: Date;
  }): Promise<Folder | null>;

  /** What is undefined stays as it is. `null` when the folder is not on the board. */
  update(
    boardId: number,
    folderId: number,
    change: { readonly name?: string; readonly parentId?: number | null },
  ): Promise<Folder | null>;

  /** Deletes the folder, all below it and their media; `null` when it is not on the board. */
  remove(
    boardId: number,
    folderId: number,
  ): Promise<{ readonly deleted: Deleted; readonly fileIds: readonly number[] } | null>;
}
