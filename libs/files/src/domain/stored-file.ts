import type { CustomData } from '#kernel';
import type { FileName } from './file-name.ts';
import { canBeSeen, type Picture, type SeenPicture } from './picture.ts';
import type { Marking } from './provenance.ts';

/**
 * The origin of a file decides its lifetime: an `upload` and an `output` live as long as their persona, an `import`
 * (a copy made by the service) as long as anything refers to it, a temporary upload until it expires.
 */
export type FileOrigin = 'upload' | 'import' | 'output';

/** A saved file: bytes in the object storage that never change, and their properties. Its key is `weights/…` if it is private. */
export interface StoredFile extends Picture, CustomData {
  readonly id: number;
  readonly workspaceId: number;
  /** The file's persona; `null` when the persona was deleted and something else still refers to the file. */
  readonly personaId: number | null;
  readonly origin: FileOrigin;
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  readonly createdAt: Date;
  /** `null` for a file that no AI system made as far as is known, for thumbnails and copies, and of versions before. */
  readonly marking: Marking | null;
  /** When a temporary file expires; `null` for a permanent file. */
  readonly expiresAt: Date | null;
}

/** A file to be added. */
export interface NewFile
  extends
    Omit<StoredFile, 'id' | 'marking' | keyof CustomData | Exclude<keyof SeenPicture, 'look'>>,
    Partial<CustomData & Pick<StoredFile, 'marking'>> {
  /** True if the bytes are at the private place of the key. */
  readonly isPrivate: boolean;
  /** `null` for a file that is looked at later. */
  readonly seen: SeenPicture | null;
}

/** When a worker may look at a new file; `null` for never. */
export function lookDueAt(file: Pick<NewFile, 'seen' | 'contentType' | 'createdAt'>): Date | null {
  return file.seen === null && canBeSeen(file) ? file.createdAt : null;
}

/**
 * When a file that is finalized at `now` expires: a temporary file, by its name, after `temporaryTtlSeconds`; a
 * permanent file never (`null`). From then on its URL is not served, and the next sweep deletes it (`FileDeletion.sweep`).
 */
export function expiryOf(name: FileName, temporaryTtlSeconds: number, now: Date): Date | null {
  return name.temporary ? new Date(now.getTime() + temporaryTtlSeconds * 1000) : null;
}

export function isExpired(file: Pick<StoredFile, 'expiresAt'>, now: Date): boolean {
  return file.expiresAt !== null && file.expiresAt <= now;
}
