import type { Readable } from 'node:stream';
import type { Actor } from '#identity';
import type { Page, PageRequest } from '#kernel';
import type { ObjectHeaders } from './domain/object-headers.ts';
import type { StorageUse } from './domain/storage-use.ts';
import type { NewFile, StoredFile } from './domain/stored-file.ts';
import type {
  AllocatedUpload,
  Finalization,
  FinalizedUpload,
  FrozenUpload,
  NewUpload,
  Upload,
} from './domain/upload.ts';

/** Gives users a persona to keep their files. */
export interface DefaultPersonas {
  /** Creates a persona for a member of the workspace who has created none there; concurrent calls, one. */
  createDefault(user: Pick<Actor, 'workspaceId' | 'userId'>): Promise<void>;
}

/** The bytes of workspaces, and their quotas. */
export interface StorageSpace {
  of(workspaceId: number): Promise<StorageUse>;

  /**
   * Reads nothing where no plan has a quota.
   *
   * @throws DomainError `quota_exceeded` when the workspace is full; `unavailable` when the storage is
   */
  requireSome(workspaceId: number): Promise<void>;
}

/** The records of saved files. */
export interface FileRecords {
  /**
   * Records, at once and whatever becomes of the surrounding unit of work, that bytes are about to be published
   * under `key`. If no file is added for the key within an hour, the sweep deletes them.
   */
  reserve(key: string, now: Date): Promise<void>;

  /**
   * Adds a file whose bytes are published under a reserved key. Its persona becomes `null` if that was deleted. If
   * nothing needs the file an hour later, the sweep deletes it.
   *
   * @throws DomainError `conflict` when the key is not reserved (any longer); `quota_exceeded` when it does not fit
   * into the quota of the workspace: of concurrent additions those that fit are made. Outputs always fit: they are paid
   */
  add(file: NewFile): Promise<StoredFile>;

  /**
   * The file, locked against deletion until the surrounding unit of work ends: a reference saved in it then keeps the
   * file. `null` when it is unknown or in another workspace.
   */
  lockByKey(workspaceId: number, key: string): Promise<StoredFile | null>;

  /** Those of these keys that files have, locked as by `lockByKey`. */
  lockKeys(keys: readonly string[]): Promise<readonly string[]>;

  find(id: number): Promise<StoredFile | null>;

  /** Whether a file has this key that is not deleted, alone or with its persona. */
  isPublic(key: string): Promise<boolean>;

  /**
   * The files of a persona, newest first, without expired ones and without outputs of generations that have not
   * succeeded; `null` when the persona is not in the workspace.
   *
   * @param temporary only temporary files, or only permanent ones; both when absent
   */
  list(
    workspaceId: number,
    personaId: number,
    page: PageRequest,
    now: Date,
    temporary?: boolean | null,
  ): Promise<Page<StoredFile> | null>;
}

/**
 * The records of uploads. A change is made only if the record is still in the state that the change starts from.
 * Uploads of a deleted persona do not exist, except for `take` and what follows it.
 */
export interface UploadRecords {
  /**
   * Adds uploads, all or none. A persona is missing when it is not in the workspace or, for an upload that names none,
   * when the user has created none there.
   *
   * @returns the uploads in their order, or the indexes of those whose persona is missing
   */
  allocate(
    uploads: readonly NewUpload[],
  ): Promise<readonly AllocatedUpload[] | { readonly missing: readonly number[] }>;

  /** The upload with this token; `null` also when it is in another workspace. */
  find(workspaceId: number, token: string): Promise<Upload | null>;

  /** Saves an allocated upload as frozen. False when it is no longer allocated. */
  freeze(upload: FrozenUpload): Promise<boolean>;

  /** Makes a frozen upload an allocated one again, if it is still frozen under the same key. */
  thaw(upload: FrozenUpload): Promise<void>;

  /**
   * Adds the file and saves the upload as finalized, both or none. `null` when the upload is no longer frozen under
   * the same key, or its persona was deleted.
   *
   * @throws DomainError `quota_exceeded`, as `FileRecords.add`
   */
  finalize(finalization: Finalization): Promise<FinalizedUpload | null>;

  /**
   * Locks some uploads until the surrounding unit of work ends, skipping locked ones: those whose `cleanUpAt` is
   * `dueBy` or earlier, longest overdue first, or those of a persona.
   */
  take(which: { readonly dueBy: Date } | { readonly personaId: number }, limit: number): Promise<readonly Upload[]>;

  /** Records that these were cleaned up; drops all but finalized ones. */
  settle(ids: readonly number[]): Promise<void>;

  drop(ids: readonly number[]): Promise<void>;
}

/**
 * Deletes files in two steps that may be a crash apart: first the record, and with it every way to refer to the file;
 * its bytes afterwards. Nothing here waits for a lock: a file that another unit of work has locked is left for later.
 * Every method must be called inside a unit of work. The bytes of a permanent file are kept until `keptUntil`, if given.
 */
export interface DiscardedFiles {
  /**
   * Discards expired temporary files, and marks their uploads as expired.
   *
   * @param forgottenAt when the sweep may drop those uploads
   * @returns how many; fewer than `limit` when no more can be discarded now
   */
  discardExpired(now: Date, forgottenAt: Date, limit: number): Promise<number>;

  /**
   * Decides of each of these files: one that something needs exists; one that only something in the trash refers to is
   * in the trash with it, until the last of these entries ends; any other is discarded.
   */
  settle(ids: readonly number[], now: Date, keptUntil?: Date | null): Promise<SettledFiles>;

  /**
   * Settles each file once, a while after it was added: whoever added it may have been interrupted.
   *
   * @returns how many were settled; fewer than `limit` when no more can be settled now
   */
  reviewAdded(now: Date, limit: number, keptUntil?: Date | null): Promise<number>;

  /**
   * Separates files from a persona that can't be restored any more: discards those that nothing else refers to; the
   * others have no persona from then on.
   *
   * @returns how many; 0 when none is left or all that are left are locked
   */
  detachFromPersona(personaId: number, now: Date, limit: number): Promise<number>;

  /**
   * Discards the files that are in the trash with an entry to which nothing belongs any more; those that other entries
   * refer to are in the trash with one of these from then on.
   *
   * @returns how many; 0 when none is left or all that are left are locked
   */
  discardOf(entryId: number, now: Date, limit: number): Promise<number>;

  /**
   * Keys of objects that belong to no file: those of discarded files, and those reserved an hour ago without a file.
   * They are forgotten when the surrounding unit of work commits, so delete or move the objects inside it.
   *
   * @returns at most `limit`; fewer when no more can be taken now
   */
  takeObjects(now: Date, limit: number): Promise<TakenObjects>;

  /** Makes the bytes due now that are kept of deleted files of 0.1. */
  eraseKept(ids: readonly number[], now: Date): Promise<void>;
}

/** What became of files that were settled. */
export interface SettledFiles {
  /** Ids of those that another unit of work has locked: they are as they were. */
  readonly locked: readonly number[];
  /** Keys of those that were in the trash and are needed again. */
  readonly revived: readonly string[];
}

/** Objects that belong to no file. */
export interface TakenObjects {
  readonly toDelete: readonly string[];
  /** To be moved to `keptKey` of each: they are taken again, to be deleted, when their time is over. */
  readonly toKeep: readonly string[];
}

/** How far the nightly comparison of storage and records has come; `null` for the beginning. */
export interface ReconciliationCursor {
  /** The key of the last object that was compared. */
  readonly object: string | null;
  /** The id of the last file that was compared. */
  readonly file: number | null;
}

/** The differences between storage and records. */
export interface Reconciliation {
  readonly objects: number;
  /** Objects that no record accounts for. */
  readonly strayObjects: number;
  readonly files: number;
  /** Files whose bytes are missing. */
  readonly lostFiles: number;
  /** How many of both were removed. */
  readonly removed: number;
  /** Keys of the first few. */
  readonly examples: readonly string[];
}

/** What the records say about what should be in the object storage. */
export interface StorageRecords {
  /**
   * Those of these keys that no file, no unfinished upload and no due deletion accounts for. The keys are those of
   * objects under `staging/`, `frozen/`, `files/` and `kept/`; a file accounts for its kept bytes too.
   */
  unaccounted(keys: readonly string[]): Promise<readonly string[]>;

  /** The files added before `before` with an id above `after`, by id. */
  filesAfter(after: number | null, before: Date, limit: number): Promise<readonly Pick<StoredFile, 'id' | 'key'>[]>;

  /** Those of these files that still exist. */
  existing(ids: readonly number[]): Promise<readonly number[]>;

  /** Deletes the records of those of these files that no training, media or generation refers to; returns their ids. */
  removeUnreferenced(ids: readonly number[]): Promise<readonly number[]>;

  /** Claims the comparison of the day of `now` (UTC): one caller gets the cursor, all others `null`. */
  claimNight(now: Date): Promise<ReconciliationCursor | null>;

  /** Records where the next night continues, and what the comparison of this one found at `now`. */
  saveNight(cursor: ReconciliationCursor, result: Reconciliation, now: Date): Promise<void>;
}

/** How many bytes of a longer file are enough to detect its content type: the first 64 KiB. */
export const HEAD_BYTES = 65_536;

/** Detects content types. */
export interface FileTypes {
  /**
   * The content type of these bytes that can be stored, by magic number, and for the text forms (SVG, glTF, FBX) by
   * parsing their head; `null` when they are of no supported type.
   *
   * @param bytes the first `HEAD_BYTES` of the file, or all of it
   */
  detect(bytes: Buffer): Promise<string | null>;
}

/** Takes metadata, such as the GPS position, out of pictures. */
export interface BarePictures {
  /**
   * Runs `work` with the picture without metadata but orientation and colour profile; the body is gone afterwards. The
   * pixels stay as they are; of a TIFF its first page is left, upright.
   *
   * @param open called when it is the turn of this picture
   * @param contentType of a picture with pixels
   * @throws DomainError `file_type_mismatch` for a picture that is malformed, `too_large` for one that is too large to
   * be opened; what `open` and its stream throw
   */
  use<T>(open: () => Promise<Readable>, contentType: string, work: (bare: ObjectBody) => Promise<T>): Promise<T>;
}

export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the bytes do. Opaque. */
  readonly etag: string;
  /** By the clock of the storage or of the caller: not exact. */
  readonly modifiedAt: Date;
}

export interface SigningLimits {
  readonly expiresAt: Date;
  readonly maxBytes: number;
}

export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** Bytes to store: in memory (small), or a file of this machine. */
export type ObjectBody = { readonly bytes: Buffer } | { readonly file: string };

export interface CopyOptions {
  /** Copies only if the source still has this etag; nobody else may be writing to the target then. */
  readonly ifMatch?: string;
  /** Replace those of the source. */
  readonly headers?: ObjectHeaders;
}

/**
 * The object storage. Keys are made by the service: `staging/…` can be written through signed URLs and read by
 * nobody else; `frozen/…` and `kept/…` are private; `files/…` is readable by anyone through its public URL. An adapter that
 * can't reach its storage throws DomainError `unavailable` with the cause kept.
 */
export interface ObjectStorage {
  /** Objects that clients send in parts. */
  readonly parts: MultipartStorage;

  /**
   * A URL that lets its holder PUT an object to `key` (under `staging/`), until `expiresAt`, with any Content-Type,
   * Cache-Control and Expires. A storage that can refuses more than `maxBytes`. Needs no network.
   */
  signPut(key: string, limits: SigningLimits): Promise<string>;

  /** @throws DomainError `unavailable` when the storage is too full to take more from clients */
  requireSpace(): Promise<void>;

  /** `null` when there is no such object. */
  head(key: string): Promise<ObjectInfo | null>;

  /** The object's bytes, or a range of them; `null` when there is no such object. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;

  /** Stores an object, replacing an existing one. Readers see the old one or the new one, never a part. */
  put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo>;

  /**
   * Copies within the storage; the bytes never pass through this process. `null` when the source is missing or
   * `ifMatch` does not hold.
   */
  copy(from: string, to: string, options: CopyOptions): Promise<ObjectInfo | null>;

  /** Deletes objects, up to 1,000 in one call to the storage; missing ones are no error. */
  delete(keys: readonly string[]): Promise<void>;

  /**
   * Objects whose key starts with `prefix`, in batches, in a stable order of the storage's own; after the key `after`
   * when it is given, whether that object still exists or not.
   */
  list(prefix: string, after?: string): AsyncIterable<readonly ObjectInfo[]>;

  /** Does a small piece of the storage's housekeeping, such as removing parts of interrupted writes. */
  tidy(): Promise<void>;
}

/** An object that is assembled from parts, each sent through a signed URL of its own. */
export interface MultipartUpload {
  /** Of the object, under `staging/`. */
  readonly key: string;
  /** The storage's identifier. */
  readonly id: string;
  /** How many parts it has, numbered from 1. */
  readonly count: number;
}

/** A part as it was last sent. */
export interface UploadedPart {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the bytes do. Opaque. */
  readonly etag: string;
}

/** The part of an object storage that assembles objects from parts. */
export interface MultipartStorage {
  /** Begins an object of `count` parts, 1 to 10,000. The storage abandons it itself after some weeks. */
  begin(key: string, count: number): Promise<MultipartUpload>;

  /** For each part, in order, what `ObjectStorage.signPut` returns for an object. Needs no network. */
  sign(upload: MultipartUpload, limits: SigningLimits): Promise<readonly string[]>;

  /** The parts that were sent, by number; none of an upload that was joined or abandoned. */
  list(upload: MultipartUpload): Promise<readonly UploadedPart[]>;

  /**
   * Makes the object of these parts, in order, atomically; afterwards no part can be sent. All but the last need at
   * least 5 MiB. `null` when a part was sent again meanwhile, or the upload was joined or abandoned already.
   */
  join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null>;

  /** Removes what was sent and not joined; there may be nothing. */
  abandon(upload: MultipartUpload): Promise<void>;
}
