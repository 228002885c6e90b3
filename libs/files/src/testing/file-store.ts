import type { Clock, Jobs, UnitOfWork } from '#kernel';
import type {
  DefaultPersonas,
  DiscardedFiles,
  FileDeletion,
  FileRecords,
  StorageRecords,
  StorageSpace,
  UploadRecords,
  WorkspaceFileRecords,
} from '../index.ts';

/** Kinds of references to a file. */
export type ReferenceKind =
  | 'training'
  | 'media'
  | 'image of an open generation'
  | 'style of an open generation'
  | 'further input of a generation'
  | 'style'
  | 'picture of a style'
  | 'picture for guests'
  | 'output'
  | 'thumbnail';

/** The ports on one database, with test data of other subjects. */
export interface FileStore {
  readonly files: FileRecords;
  readonly uploads: UploadRecords;
  readonly discarded: DiscardedFiles;
  readonly records: StorageRecords;
  readonly space: StorageSpace;
  readonly workspaces: WorkspaceFileRecords;
  readonly personas: DefaultPersonas;
  readonly unitOfWork: UnitOfWork;

  /** A workspace of its own, with a user who has made no persona. */
  newWorkspace(): Promise<{ readonly workspaceId: number; readonly userId: number }>;

  newPersona(of: { readonly workspaceId: number; readonly userId: number }): Promise<number>;

  /** Deletes the persona; it can be restored until `expiresAt`, by default not at all. */
  deletePersona(personaId: number, expiresAt?: Date): Promise<void>;

  /** Carries out the deletion of a persona, if it still exists. */
  carryOut(
    personaId: number,
    by: { readonly files: FileDeletion; readonly jobs: Jobs; readonly clock: Clock },
  ): Promise<void>;

  hasPersona(personaId: number): Promise<boolean>;

  /** Adds a reference of this kind to the file. */
  refer(kind: ReferenceKind, fileId: number): Promise<void>;

  /** Removes every reference to the file; generations that refer to it end. */
  unrefer(fileId: number): Promise<void>;
}
