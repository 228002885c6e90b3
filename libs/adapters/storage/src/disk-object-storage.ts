import type { Readable } from 'node:stream';
import type { ByteRange, ObjectBody, ObjectHeaders, ObjectInfo, ObjectStorage, SigningLimits } from '#files';
import type { Clock } from '#kernel';
import { copyDurably, writeDurably } from './disk-files.ts';
import { DiskObjects, type OpenedObject } from './disk-objects.ts';
import { DiskParts } from './disk-parts.ts';
import { DiskReserve, freeBytesIn } from './disk-reserve.ts';
import { headersAt, type ServedObject } from './served-object.ts';
import { UrlSignatures, type PutPermission } from './url-signatures.ts';

export interface DiskStorageOptions {
  /** The store's own folder. Processes of one machine may share it. */
  readonly root: string;
  /** Base URL of the routes of signed URLs. */
  readonly publicUrl: string;
  /** Signs URLs; the same in all processes. */
  readonly secret: string;
  readonly clock: Clock;
  /** Free bytes of the disk reserved for others, such as the database (default 0). */
  readonly reserveBytes?: number;
  /** Bytes that may still be written (default: those of the disk); for tests. */
  readonly freeBytes?: () => Promise<number>;
}

/** Objects in a folder of this machine. */
export class DiskObjectStorage extends DiskObjects implements ObjectStorage {
  readonly parts: DiskParts;
  readonly #signatures: UrlSignatures;
  readonly #url: string;
  readonly #reserve: DiskReserve;

  constructor({ root, publicUrl, secret, clock, reserveBytes = 0, freeBytes }: DiskStorageOptions) {
    super(root, clock);
    this.#reserve = new DiskReserve(reserveBytes, freeBytes ?? (() => freeBytesIn(root)));
    this.parts = new DiskParts(this, (key, limits) => this.#sign(key, limits));
    this.#signatures = new UrlSignatures(secret);
    this.#url = `${publicUrl.replace(/\/+$/, '')}/storage`;
  }

  async signPut(key: string, limits: SigningLimits): Promise<string> {
    return this.#sign(key, limits);
  }

  #sign(key: string, limits: SigningLimits): string {
    return `${this.#url}/${key}?${this.#signatures.signPut({ key, ...limits })}`;
  }

  async signGet(key: string, expiresAt: Date): Promise<string> {
    const path = key.split('/').map(encodeURIComponent).join('/');
    return `${this.#url}/${path}?${this.#signatures.signGet(key, expiresAt)}`;
  }

  /** The permission that the query string of a signed URL gives for `key` now; `null` when it gives none. */
  permissionOf(key: string, query: string): PutPermission | null {
    return this.#signatures.verifyPut(key, query, this.clock.now());
  }

  /** Reports whether the query string of a signed URL permits reading `key` now. */
  mayRead(key: string, query: string): boolean {
    return this.#signatures.verifyGet(key, query, this.clock.now());
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const opened = await this.openObject(key);
    return opened && streamOf(opened, range);
  }

  /** Opens an object for an HTTP response; `null` also when it has expired. */
  async serve(key: string): Promise<ServedObject | null> {
    const opened = await this.openObject(key);
    if (!opened) return null;
    const { record, bytes } = opened;
    const headers = headersAt(record.headers, this.clock.now());
    if (headers) return { info: record, headers, read: (range) => streamOf(opened, range), close: () => bytes.close() };
    await bytes.close();
    return null;
  }

  requireSpace(): Promise<void> {
    return this.#reserve.require();
  }

  async put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo> {
    await this.#reserve.require('half');
    return this.store(key, headers, (path) =>
      'file' in body ? copyDurably(body.file, path) : writeDurably(path, [body.bytes]),
    );
  }

  putStream(key: string, chunks: AsyncIterable<Uint8Array>, headers: ObjectHeaders): Promise<ObjectInfo> {
    return this.store(key, headers, (path) => writeDurably(path, this.#reserve.guard(chunks)));
  }

  /**
   * Stores the body of a PUT to a signed URL. An interrupted stream, or one with too many bytes, changes nothing.
   *
   * @throws DomainError `too_large`, `unavailable`; the error of the stream
   */
  receive({ key, maxBytes }: PutPermission, bytes: AsyncIterable<Uint8Array>): Promise<ObjectInfo> {
    const headers = { contentType: 'application/octet-stream' };
    return this.store(key, headers, (path) => writeDurably(path, this.#reserve.guard(bytes), maxBytes));
  }
}

function streamOf({ bytes }: OpenedObject, range?: ByteRange): Readable {
  return bytes.createReadStream({ start: range?.start ?? 0, end: range?.end ?? Infinity });
}
