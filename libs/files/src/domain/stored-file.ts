/**
 * Where a file came from decides how long it lives: an `upload` and an `output` live as long as their persona, an
 * `import` (the service's own copy of something) as long as anything refers to it. A temporary upload lives
 * until its time is over.
 */
export type FileOrigin = 'upload' | 'import' | 'output';

/** A saved file: bytes in the object storage that will never change, and what is known of them. */
export interface StoredFile {
  readonly id: number;
  readonly workspaceId: number;
  /** The persona it lives with; `null` when that persona was deleted but something else still needs the file. */
  readonly personaId: number | null;
  readonly origin: FileOrigin;
  /** Object key, `files/…`. */
  readonly key: string;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  /** Decided from the bytes. */
  readonly contentType: string;
  readonly createdAt: Date;
  /** When a temporary file's time is over; `null` for a permanent file. */
  readonly expiresAt: Date | null;
}

/** A file that is not recorded yet. */
export type NewFile = Omit<StoredFile, 'id'>;

export function isExpired(file: Pick<StoredFile, 'expiresAt'>, now: Date): boolean {
  return file.expiresAt !== null && file.expiresAt <= now;
}
