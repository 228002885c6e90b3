/** Readers of the files of a workspace: anyone who has a URL, or whoever has a signed one. */
export const FILE_MODES = ['public', 'private'] as const;
export type FileMode = (typeof FILE_MODES)[number];

/** The facts of a workspace from which the URLs of its files are made. */
export interface FileAccess {
  readonly workspaceId: number;
  readonly filesArePrivate: boolean;
  /** Version of the key that signs the URLs. */
  readonly fileKeyVersion: number;
}

/** The files of a workspace. */
export interface WorkspaceFiles extends FileAccess {
  readonly keyRotatedAt: Date | null;
  /** When a switch began that is under way; `null` for none. */
  readonly movingSince: Date | null;
}

/** The progress of a switch, in files. */
export interface FileMoveProgress {
  readonly done: number;
  readonly total: number;
}

/** Reports whether the files of a workspace open without a signature: always in a public one, else until a switch is done. */
export function opensUnsigned({
  filesArePrivate,
  movingSince,
}: Pick<WorkspaceFiles, 'filesArePrivate' | 'movingSince'>) {
  return !filesArePrivate || movingSince !== null;
}
