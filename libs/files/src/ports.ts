import type { Readable } from 'node:stream';
import type { Actor } from '#identity';
import type { Page, PageRequest } from '#kernel';
import type { ObjectHeaders } from './domain/object-headers.ts';
import type { StorageUse } from './domain/storage-use.ts';
import type { SeenPicture } from './domain/picture.ts';
import type { Marking } from './domain/provenance.ts';
import type { NewFile, StoredFile } from './domain/stored-file.ts';
import type { FileAccess, FileMoveProgress, WorkspaceFiles } from './domain/workspace-files.ts';
import type { SeenFile } from './domain/visibility.ts';
import type {
  AllocatedUpload,
  Finalization,
  FinalizedUpload,
  FrozenUpload,
  NewUpload,
  Upload,
} from './domain/upload.ts';

/** Creates default personas for uploads. */
export interface DefaultPersonas {
  /** Creates a persona for a member of the workspace who has created none there; concurrent calls create one. */
  createDefault(user: Pick<Actor, 'workspaceId' | 'userId'>): Promise<void>;
}

/** Storage use and quotas of workspaces. */
export interface StorageSpace {
  of(workspaceId: number): Promise<StorageUse>;

  /**
   * Reads nothing where no plan has a quota.
   *
   * @throws DomainError `quota_exceeded` when the workspace is full; `unavailable` when the storage is
   */
  requireSome(workspaceId: number): Promise<void>;
}

/** Names of pictures. */
export interface PictureNames {
  /**
   * Renames a file that is not deleted, within a unit of work. The library finds it by the new name, and boards that show
   * it have changed. False, without effect, unless it is in the workspace.
   */
  rename(workspaceId: number, file: { readonly id: number } | { readonly key: string }, name: string): Promise<boolean>;
}

/** Signs texts with a key of a workspace. */
export interface FileSignatures {
  /** 43 characters of `A-Z`, `a-z`, `0-9`, `-` and `_`. */
  sign(workspaceId: number, version: number, text: string): string;

  /** Compares in a time that does not depend on the signature. */
  isSignature(workspaceId: number, version: number, text: string, signature: string): boolean;
}

/** A file whose object moves. */
export interface MovingFile {
  readonly id: number;
  readonly key: string;
  /** True if it moves to the private place. */
  readonly toPrivate: boolean;
}

/** The places of the objects of workspaces' files. */
export interface WorkspaceFileRecords {
  /** @throws DomainError `not_found` */
  find(workspaceId: number): Promise<WorkspaceFiles>;

  /** The access to the file with this key; `null` when there is none. */
  accessOfKey(key: string): Promise<FileAccess | null>;

  /** The progress of the moves in the workspace; `null` when no object has to move. */
  progressOf(workspaceId: number): Promise<FileMoveProgress | null>;

  /** The keys of these files of the workspace, which are not deleted, by id. */
  keysOf(workspaceId: number, fileIds: readonly number[]): Promise<ReadonlyMap<number, string>>;

  /** Saves who can read the files from `now` on, and that objects have to move. False when it is so already. */
  change(workspaceId: number, filesArePrivate: boolean, now: Date): Promise<boolean>;

  rotateKey(workspaceId: number, now: Date): Promise<void>;

  /** Workspaces in which objects of files may have to move. */
  misplaced(limit: number): Promise<readonly number[]>;

  /**
   * Records that the objects of some files begin to move: the next ones, by id, whose object is not at the place of the
   * workspace's mode, or has begun to move. Skips files that others have locked. Returns their ids.
   */
  beginMoves(workspaceId: number, after: number, limit: number): Promise<readonly number[]>;

  /**
   * Returns those of these files that still move, locked until the surrounding unit of work ends. Skips locked ones, and
   * all of them during a backup.
   */
  takeMoving(fileIds: readonly number[]): Promise<readonly MovingFile[]>;

  /** Records that the objects of these files are at the place that they moved to, and nowhere else. */
  endMoves(files: readonly MovingFile[]): Promise<void>;

  /** Ends the switch of a workspace, unless an object has to move. Call it in a unit of work of its own. */
  finishMove(workspaceId: number): Promise<boolean>;
}

/** The facts that decide who may read a file by its URL. */
export interface ServedFile {
  readonly state: SeenFile;
  readonly workspace: WorkspaceFiles;
  /** True if the given link is of the workspace, and open. */
  readonly isShareOpen: boolean;
}

/** The key of a file, and where its object is. */
export interface PlacedKey {
  readonly key: string;
  readonly isPrivate: boolean;
}

/** The records of saved files. */
export interface FileRecords {
  /**
   * Records that bytes are about to be published under `key`, outside of the surrounding unit of work: the record stays
   * when that is rolled back. If no file is added for the key within an hour, the sweep deletes them.
   *
   * @returns true if the bytes belong at the private place
   */
  reserve(key: string, workspaceId: number, now: Date): Promise<boolean>;

  /**
   * Adds a file whose bytes are published under a reserved key. Its persona is `null` if it was deleted. If the file
   * is unreferenced an hour later, the sweep deletes it. If its workspace has changed meanwhile, its object moves.
   *
   * @throws DomainError `conflict` when the key is not reserved; `quota_exceeded` when the file exceeds the workspace's
   * quota, also with concurrent additions. Outputs may exceed it: they are paid
   */
  add(file: NewFile): Promise<StoredFile>;

  /**
   * The file, locked against deletion until the surrounding unit of work ends: a reference saved in that unit keeps the
   * file. `null` when the file is unknown or in another workspace.
   */
  lockByKey(workspaceId: number, key: string): Promise<StoredFile | null>;

  /** Returns those of the given keys that belong to files, and where their objects are; locked as by `lockByKey`. */
  lockKeys(keys: readonly string[]): Promise<readonly PlacedKey[]>;

  find(id: number): Promise<StoredFile | null>;

  /**
   * Claims files that are to be looked at, newest first, until `until`: unless they are seen by then, they are due again,
   * after twice the time for each further try, and never after the last one.
   */
  claimUnseen(now: Date, until: Date, limit: number): Promise<readonly StoredFile[]>;

  /**
   * Saves what a look at a file has found. What is `null`, or has no thumbnails, leaves what is known.
   *
   * @returns false if the file is deleted, or another worker has saved thumbnails: the given ones are not used then
   */
  saveSeen(fileId: number, seen: SeenPicture): Promise<boolean>;

  /** Reports whether an existing file has this key. False when the file or its persona is deleted. */
  isPublic(key: string): Promise<boolean>;

  /**
   * The facts that decide who may read the file with this key; `null` when there is none.
   *
   * @param shareId the link in the URL
   */
  served(key: string, shareId: number | null, now: Date): Promise<ServedFile | null>;

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
 * The records of uploads. A change has an effect only if the record is still in the state that the change starts
 * from. Uploads of a deleted persona are visible only to `take` and the calls after it.
 */
export interface UploadRecords {
  /**
   * Adds uploads, all or none. A persona is missing when it is not in the workspace or, for an upload that names none,
   * when the user has created none there.
   *
   * @returns the uploads in their order, or the indexes of the uploads whose persona is missing
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
   * `dueBy` or earlier, longest overdue first, or those of a deleted persona, which is not restored until then.
   */
  take(which: { readonly dueBy: Date } | { readonly personaId: number }, limit: number): Promise<readonly Upload[]>;

  /** Records that these uploads were cleaned up; drops all but the finalized uploads. */
  finish(ids: readonly number[]): Promise<void>;

  drop(ids: readonly number[]): Promise<void>;
}

/**
 * Deletes files in two steps, with a possible crash between them: first the record, so that no new reference can be
 * saved, then the bytes. No method waits for a lock: a file that another unit of work has locked is left for later.
 * Every method must be called inside a unit of work. The bytes of a permanent file are kept until `keptUntil`, if given.
 */
export interface DiscardedFiles {
  /**
   * Discards expired temporary files, and marks their uploads as expired.
   *
   * @param forgottenAt when the sweep may drop those uploads
   * @returns the discarded files; fewer than `limit` when no more can be discarded now
   */
  discardExpired(
    now: Date,
    forgottenAt: Date,
    limit: number,
  ): Promise<readonly Pick<StoredFile, 'id' | 'workspaceId' | 'filename' | 'customer'>[]>;

  /**
   * Decides for each file: a referenced file stays (or is restored); a file that only trash entries refer to is in the
   * trash until the last of these entries ends; any other file is discarded.
   */
  decide(ids: readonly number[], now: Date, keptUntil?: Date | null): Promise<DecidedFiles>;

  /**
   * Decides each file once, a while after it was added: the request that added it may have been interrupted.
   *
   * @returns the number of decided files; fewer than `limit` when no more can be decided now
   */
  reviewAdded(now: Date, limit: number, keptUntil?: Date | null): Promise<number>;

  /**
   * Separates files from a persona that can't be restored any more: discards the files that nothing else refers to, and
   * removes the persona from the other files.
   *
   * @returns the number of processed files; 0 when none is left or all remaining files are locked
   */
  detachFromPersona(personaId: number, now: Date, limit: number): Promise<number>;

  /**
   * Discards the files of an emptied trash entry; a file that other entries refer to moves to one of these entries.
   *
   * @returns the number of processed files; 0 when none is left or all remaining files are locked
   */
  discardOf(entryId: number, now: Date, limit: number): Promise<number>;

  /**
   * Keys of objects without a file: keys of discarded files, and keys reserved an hour ago for which no file was added.
   * Their records are deleted when the surrounding unit of work commits, so delete or move the objects inside it.
   *
   * @returns at most `limit` keys; fewer when no more can be taken now
   */
  takeObjects(now: Date, limit: number): Promise<TakenObjects>;
}

/** The result of deciding files. */
export interface DecidedFiles {
  /** Ids of files that another unit of work has locked: these are unchanged. */
  readonly locked: readonly number[];
  /** Keys of files that left the trash because they are referenced again. */
  readonly revived: readonly string[];
}

/** Keys of objects without a file. */
export interface TakenObjects {
  readonly toDelete: readonly string[];
  /** To be moved to their `keptKey`: after the grace period they are taken again, to be deleted. */
  readonly toKeep: readonly string[];
}

/** The position of the nightly comparison of storage and records; `null` for the beginning. */
export interface ReconciliationCursor {
  /** The key of the last object compared. */
  readonly object: string | null;
  /** The id of the last file compared. */
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
  /** The number of removed objects and records. */
  readonly removed: number;
  /** The first few keys, as examples. */
  readonly examples: readonly string[];
}

/** The objects that should be in the storage, according to the records. */
export interface StorageRecords {
  /**
   * Returns those of the given keys that no file, export, unfinished upload or due deletion accounts for. The keys are
   * under the prefixes of the storage; a file accounts for its kept bytes too, and for its object at one place, or at both
   * while the files of its workspace move.
   */
  unaccounted(keys: readonly string[]): Promise<readonly string[]>;

  /** The files added before `before` with an id above `after`, by id. */
  filesAfter(
    after: number | null,
    before: Date,
    limit: number,
  ): Promise<readonly (PlacedKey & Pick<StoredFile, 'id'>)[]>;

  /** Returns those of the given files that still exist. */
  existing(ids: readonly number[]): Promise<readonly number[]>;

  /**
   * Deletes the given files' records unless a training, media item or generation refers to them, or they are thumbnails;
   * returns their ids.
   */
  removeUnreferenced(ids: readonly number[]): Promise<readonly number[]>;

  /** Claims the comparison of the day of `now` (UTC): one caller gets the cursor, all others `null`. */
  claimNight(now: Date): Promise<ReconciliationCursor | null>;

  /** Records the position to continue from in the next night, and the differences found at `now`. */
  saveNight(cursor: ReconciliationCursor, result: Reconciliation, now: Date): Promise<void>;
}

/** The first 64 KiB of a file are enough to detect its content type. */
export const HEAD_BYTES = 65_536;

/** Detects content types. */
export interface FileTypes {
  /**
   * The supported content type of these bytes, by magic number, or for text formats (SVG, glTF, FBX) by parsing their
   * head; `null` for any other type.
   *
   * @param bytes the first `HEAD_BYTES` of the file, or all of it
   */
  detect(bytes: Buffer): Promise<string | null>;
}

/** Removes metadata, such as the GPS position, from pictures. */
export interface BarePictures {
  /**
   * Runs `work` with the picture without metadata except orientation, colour profile and provenance, then deletes its
   * body. The pixels stay unchanged; of a TIFF only the first page is kept, upright. A picture with a signature, which
   * would break, stays whole, unless it has a position. The marking is `null` for a picture without marks.
   *
   * @param open called when it is this picture's turn
   * @param contentType of a picture with pixels
   * @throws DomainError `file_type_mismatch` for a malformed picture, `too_large` for a picture that is too large to
   * decode; the errors of `open` and its stream
   */
  use<T>(
    open: () => Promise<Readable>,
    contentType: string,
    work: (bare: ObjectBody, marking: Marking | null) => Promise<T>,
  ): Promise<T>;
}

export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the bytes do. Opaque. */
  readonly etag: string;
  /** By the clock of the storage or of the caller, so not exact. */
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
  /** Copies only if the source still has this etag; requires that no other call writes to the target. */
  readonly ifMatch?: string;
  /** Replace the headers of the source. */
  readonly headers?: ObjectHeaders;
}

/**
 * The object storage. The service chooses all keys: `staging/…` can be written through signed URLs, but not read;
 * `frozen/…`, `kept/…` and `exports/…` are private; `weights/…` and `private/…` can be read through signed URLs only;
 * `files/…` is readable by anyone through its public URL. An adapter that can't reach its storage throws DomainError
 * `unavailable` with the error as its cause.
 */
export interface ObjectStorage {
  /** Objects that clients send in parts. */
  readonly parts: MultipartStorage;

  /**
   * A URL that allows a PUT of an object to `key` (under `staging/`) until `expiresAt`, with any Content-Type,
   * Cache-Control and Expires. If the storage can enforce `maxBytes`, it refuses larger objects. Needs no network.
   */
  signPut(key: string, limits: SigningLimits): Promise<string>;

  /**
   * A URL that allows a GET of the object at `key` (under `weights/`; in a bucket also `private/`) until `expiresAt`. A
   * bucket sends `cacheControl`, if given, with the object. Needs no network.
   */
  signGet(key: string, expiresAt: Date, cacheControl?: string): Promise<string>;

  /** @throws DomainError `unavailable` when the storage is too full for more uploads */
  requireSpace(): Promise<void>;

  /** `null` when there is no such object. */
  head(key: string): Promise<ObjectInfo | null>;

  /** The object's bytes, or a range of them; `null` when there is no such object. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;

  /** Stores an object, replacing an existing one. Readers see the old one or the new one, never a part. */
  put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo>;

  /**
   * Stores an object of unknown size, as `put` does. Reads chunks as fast as it stores them, and has few of them in
   * memory. When `chunks` fails, stores nothing and throws that error.
   */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>, headers: ObjectHeaders): Promise<ObjectInfo>;

  /**
   * Copies within the storage; the bytes never pass through this process. `null` when the source is missing or
   * `ifMatch` does not hold.
   */
  copy(from: string, to: string, options: CopyOptions): Promise<ObjectInfo | null>;

  /** Deletes objects, up to 1,000 in one call to the storage; missing ones are no error. */
  delete(keys: readonly string[]): Promise<void>;

  /**
   * Objects whose key starts with `prefix`, in batches, in a stable order that the storage defines. With `after`,
   * starts after this key, which need not exist any more.
   */
  list(prefix: string, after?: string): AsyncIterable<readonly ObjectInfo[]>;

  /** Does a small part of the storage's housekeeping, such as removing partial files of interrupted writes. */
  tidy(): Promise<void>;
}

/** An object that is assembled from parts, each sent through a signed URL of its own. */
export interface MultipartUpload {
  /** Key of the object, under `staging/`. */
  readonly key: string;
  /** The storage's identifier. */
  readonly id: string;
  /** Number of parts, which are numbered from 1. */
  readonly count: number;
}

/** The last version of a part that was sent. */
export interface UploadedPart {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the bytes do. Opaque. */
  readonly etag: string;
}

/** The multipart uploads of an object storage. */
export interface MultipartStorage {
  /** Begins an object of `count` parts, 1 to 10,000. The storage abandons it itself after some weeks. */
  begin(key: string, count: number): Promise<MultipartUpload>;

  /** Signed PUT URLs of the parts, in order; see `ObjectStorage.signPut`. Needs no network. */
  sign(upload: MultipartUpload, limits: SigningLimits): Promise<readonly string[]>;

  /** The parts sent so far, by number; empty for an upload that was joined or abandoned. */
  list(upload: MultipartUpload): Promise<readonly UploadedPart[]>;

  /**
   * Joins these parts into the object, in order, atomically; afterwards no part can be sent. All parts but the last
   * need at least 5 MiB. `null` when a part was sent again meanwhile, or the upload was joined or abandoned already.
   */
  join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null>;

  /** Abandons the upload and deletes its parts. Idempotent. */
  abandon(upload: MultipartUpload): Promise<void>;
}
