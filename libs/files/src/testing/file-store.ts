import type { UnitOfWork } from '#kernel';
import type { DiscardedFiles, Files, StorageRecords, Uploads } from '../index.ts';

/** What can refer to a file. */
export type ReferenceKind =
  'training' | 'media' | 'image of an open generation' | 'style of an open generation' | 'output';

/** The ports on one store, with what the tests of each need of the rooms around it. */
export interface FileStore {
  readonly files: Files;
  readonly uploads: Uploads;
  readonly discarded: DiscardedFiles;
  readonly records: StorageRecords;
  readonly unitOfWork: UnitOfWork;

  /** A workspace of its own, with a user who has made no persona. */
  newWorkspace(): Promise<{ readonly workspaceId: number; readonly userId: number }>;

  newPersona(of: { readonly workspaceId: number; readonly userId: number }): Promise<number>;

  /** As the room of personas does it: the record stays for the purge. */
  deletePersona(personaId: number): Promise<void>;

  hasPersona(personaId: number): Promise<boolean>;

  /** Makes something of that kind refer to the file. */
  refer(kind: ReferenceKind, fileId: number): Promise<void>;

  /** Ends every reference to the file; generations that refer to it come to their end. */
  unrefer(fileId: number): Promise<void>;
}
