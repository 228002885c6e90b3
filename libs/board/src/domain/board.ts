export interface Board {
  readonly id: number;
  readonly name: string;
  /** Folders and media on the whole board, at any depth. */
  readonly foldersCount: number;
  readonly mediaCount: number;
  readonly createdAt: Date;
}

export interface Folder {
  readonly id: number;
  readonly name: string;
  /** `null` at the board's root. */
  readonly parentId: number | null;
}

/** How much a delete took with it. */
export interface Deleted {
  readonly folders: number;
  readonly media: number;
}
