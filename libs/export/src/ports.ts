import type { EndedExport, Export, QueuedExport, ReadyExport, RunningExport } from './domain/export.ts';
import type { PersonalFile } from './domain/archive.ts';

/** Exports, and the keys of their zips. Methods other than reads must be called inside a unit of work. */
export interface ExportStore {
  /** The exports of a user, newest first. */
  list(userId: number): Promise<readonly Export[]>;

  /** Returns and locks an export until the surrounding unit of work ends; `null` when there is none. */
  lock(id: number): Promise<Export | null>;

  /** @throws Error when the user has an export under way */
  add(userId: number, now: Date): Promise<QueuedExport>;

  save(changed: RunningExport | ReadyExport | EndedExport): Promise<void>;

  /** Deletes the exports of a user, after the units of work that have locked them, and returns them. */
  removeAll(userId: number): Promise<readonly Export[]>;

  /** Locks up to `limit` exports that are ready and expire by `now`; skips locked ones. */
  lockExpired(now: Date, limit: number): Promise<readonly ReadyExport[]>;

  /** Has the sweep of files delete the object `key` at `at`, unless it is kept or discarded for another time before. */
  discard(key: string, at: Date): Promise<void>;

  /** Keeps a discarded object. False when the sweep may have deleted it already. */
  keep(key: string): Promise<boolean>;
}

/** The data of a person at one moment. */
export interface PersonalData {
  /** Opens the data of a user at this moment; `null` when there is no such user. */
  open(userId: number): Promise<PersonalSnapshot | null>;
}

/** A row, as the columns of its table. */
export type Row = Readonly<Record<string, unknown>>;

export interface PersonalSnapshot {
  readonly email: string;

  /** The documents, to be read one after the other. */
  readonly documents: readonly {
    /** Such as `boards`. */
    readonly name: string;
    /** Contents, in a sentence. */
    readonly about: string;
    /** In pages. */
    rows(): AsyncIterable<readonly Row[]>;
  }[];

  /** The files, in pages. Ends the snapshot, as reading the bytes may take long: the documents can't be read any more. */
  files(): AsyncIterable<readonly PersonalFile[]>;

  close(): Promise<void>;
}

export interface ArchiveEntry {
  /** Unique. */
  readonly path: string;
  readonly modifiedAt: Date;
  /** True if compression pays: not for pictures and videos. */
  readonly isCompressed: boolean;
  /** Read before the next entry is. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Packs entries of any size and number into a zip, one after the other, in memory that depends on neither. */
export interface Archives {
  /** Fails with the error of the entries or their chunks. */
  zip(entries: AsyncIterable<ArchiveEntry>): AsyncIterable<Uint8Array>;
}
