import type { Readable } from 'node:stream';
import type { ObjectHeaders } from '../domain/object-headers.ts';

/** What the storage knows of an object. */
export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the bytes do. Opaque. */
  readonly etag: string;
  /** By the clock of the storage or of whoever asks: not exact. */
  readonly modifiedAt: Date;
}

export interface SignedPut {
  readonly url: string;
  /** Headers the client should send along with the bytes. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An object that is put together from parts, each sent through a signed URL of its own. */
export interface MultipartUpload {
  /** Of the object, under `staging/`. */
  readonly key: string;
  /** What the storage calls it. */
  readonly id: string;
  /** How many parts it has, numbered from 1. */
  readonly count: number;
}

/** A part as it was sent last. */
export interface UploadedPart {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the bytes do. Opaque. */
  readonly etag: string;
}

/** What can be stored: bytes in memory (small), or a file on this machine. */
export type ObjectBody = { readonly bytes: Buffer } | { readonly file: string };

/**
 * The object storage. Keys are made by the service: `staging/…` can be written through signed URLs and read by
 * nobody else; `frozen/…` is private; `files/…` is readable by anyone through its public URL. An adapter that
 * can't reach its storage throws DomainError `unavailable` with the cause kept.
 */
export interface ObjectStorage {
  /**
   * A URL that lets its holder PUT an object to `key` (under `staging/`), until `expiresAt`, with any Content-Type,
   * Cache-Control and Expires. A storage that can refuses more than `maxBytes`. Needs no network.
   */
  signPut(key: string, options: { readonly expiresAt: Date; readonly maxBytes: number }): Promise<SignedPut>;

  /** Begins an object of `count` parts, 1 to 10,000. What nobody joins or abandons is given up after some weeks. */
  beginParts(key: string, count: number): Promise<MultipartUpload>;

  /** For each part, in order, what `signPut` gives for an object. Needs no network. */
  signParts(
    upload: MultipartUpload,
    options: { readonly expiresAt: Date; readonly maxBytes: number },
  ): Promise<readonly SignedPut[]>;

  /** The parts that were sent, by number; none any more of an upload that was joined or abandoned. */
  listParts(upload: MultipartUpload): Promise<readonly UploadedPart[]>;

  /**
   * Makes the object of these parts, one after the other, at once; after that nobody can send any. All but the last
   * must have at least 5 MiB. `null` when a part was sent again meanwhile, or others have joined them or given up.
   */
  joinParts(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null>;

  /** Removes what was sent and not joined; there may be nothing. */
  abandonParts(upload: MultipartUpload): Promise<void>;

  /** `null` when there is no such object. */
  head(key: string): Promise<ObjectInfo | null>;

  /** The object's bytes, or those from `start` to `end` (inclusive); `null` when there is no such object. */
  open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable | null>;

  /** Stores an object, replacing one that is there. Readers see the old one or the new one, never a part. */
  put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo>;

  /**
   * Copies within the storage; the bytes never pass through here. With `ifMatch`, only when the source still
   * has that etag; nobody else may be writing to `to` then. `null` when the source is missing or has another etag.
   */
  copy(
    from: string,
    to: string,
    options: { readonly ifMatch?: string; readonly headers?: ObjectHeaders },
  ): Promise<ObjectInfo | null>;

  /** Deletes objects, up to 1,000 in one call to the storage; those that are not there are no error. */
  delete(keys: readonly string[]): Promise<void>;

  /**
   * Objects whose key starts with `prefix`, in batches, in an order of the storage's own that stays the same; from
   * after the key `after` on, whether that object is still there or not.
   */
  list(prefix: string, after?: string): AsyncIterable<readonly ObjectInfo[]>;

  /** Does a small piece of the housekeeping that the storage needs, such as removing parts of broken writes. */
  tidy(): Promise<void>;

  /** Where anyone can read an object under `files/`. */
  publicUrl(key: string): string;

  /** The key of a URL that `publicUrl` makes, whoever's it is; `null` for any other URL. */
  keyOf(url: string): string | null;
}
