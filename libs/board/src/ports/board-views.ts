import type { PageRequest } from '#kernel';

/** An answer of the API, an object in JSON without `status`. */
export type AnswerJson = string;

/** What readers see of boards: each answer in one statement, as text that is sent as it is. */
export interface BoardViews {
  /** The boards of the workspace, newest first. */
  boards(workspaceId: number, page: PageRequest): Promise<ListJson>;

  /**
   * The board with its folders and media; only its version when that is `knownVersion`.
   */
  board(
    workspaceId: number,
    boardId: number,
    knownVersion: number | null,
  ): Promise<{ readonly version: number; readonly json: AnswerJson | null } | null>;

  /** The folders, each with its media. */
  folders(workspaceId: number, boardId: number, page: PageRequest): Promise<ListJson | null>;

  /** One folder: its own folders with their counts, and a page of its media. */
  folder(workspaceId: number, boardId: number, folderId: number, page: PageRequest): Promise<ListJson | null>;

  /** A page of the board's media; of one folder's or the root's where `folderId` is given. */
  media(
    workspaceId: number,
    boardId: number,
    filter: { readonly folderId?: number | null },
    page: PageRequest,
  ): Promise<ListJson | null>;

  /** Whether there is such a thing on any board of the workspace. */
  exists(kind: 'board' | 'folder' | 'media', workspaceId: number, id: number): Promise<boolean>;
}

/** A list that is read page by page: the answer's fields, and the id that the next page continues after. */
export interface ListJson {
  readonly json: AnswerJson;
  readonly next: number | null;
}
