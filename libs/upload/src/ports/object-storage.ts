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
