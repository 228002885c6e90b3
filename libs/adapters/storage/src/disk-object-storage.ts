import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Clock } from '#kernel';
import {
  StoredUrls,
  type MultipartUpload,
  type ObjectBody,
  type ObjectHeaders,
  type ObjectInfo,
  type ObjectStorage,
  type SignedPut,
  type UploadedPart,
} from '#files';
import { diskFailure } from './disk-failure.ts';
import { writeDurably } from './disk-files.ts';
import { DiskLayout } from './disk-layout.ts';
import { DiskObjects, type OpenedObject } from './disk-objects.ts';
import { DiskParts } from './disk-parts.ts';
import { DiskTidying } from './disk-tidying.ts';
import { infoOf } from './object-record.ts';
import { UploadSignatures, type PutPermission } from './upload-signatures.ts';

export interface DiskStorageOptions {
  /** The store's folder, where nobody else writes. Processes of one machine may share it. */
  readonly root: string;
  /** Where clients reach the routes that serve this store. */
  readonly publicUrl: string;
  /** Signs upload URLs; the same in all processes. */
  readonly secret: string;
  readonly clock: Clock;
}

export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/** An object that is being served: whatever happens to it meanwhile, its bytes can be read to the end. */
export interface ServedObject {
  readonly info: ObjectInfo;
  readonly headers: ObjectHeaders;
  /** All bytes, or some; can be called once. */
  read(range?: ByteRange): Readable;
  /** Must be called at last, whether the bytes were read or not. */
  close(): Promise<void>;
}

const LIST_BATCH = 1_000;

/** Objects in a folder of this machine. */
export class DiskObjectStorage implements ObjectStorage {
  readonly #objects: DiskObjects;
  readonly #parts: DiskParts;
  readonly #tidying: DiskTidying;
  readonly #urls: StoredUrls;
  readonly #signatures: UploadSignatures;
  readonly #putUrl: string;
  readonly #clock: Clock;

  constructor({ root, publicUrl, secret, clock }: DiskStorageOptions) {
    const layout = new DiskLayout(root);
    this.#objects = new DiskObjects(layout, clock);
    this.#parts = new DiskParts(this.#objects);
    this.#tidying = new DiskTidying(layout, clock);
    this.#urls = new StoredUrls(publicUrl);
    this.#signatures = new UploadSignatures(secret);
    this.#putUrl = `${publicUrl.replace(/\/+$/, '')}/storage`;
    this.#clock = clock;
  }

  async signPut(
    key: string,
    options: { readonly expiresAt: Date; readonly maxBytes: number },
  ): Promise<SignedPut> {
    return { url: `${this.#putUrl}/${key}?${this.#signatures.sign({ key, ...options })}`, headers: {} };
  }

  /** Nothing is begun on a disk: parts are objects of their own, under keys that only their upload knows. */
  async beginParts(key: string, count: number): Promise<MultipartUpload> {
    return { key, id: randomBytes(9).toString('base64url'), count };
  }

  signParts(
    upload: MultipartUpload,
    options: { readonly expiresAt: Date; readonly maxBytes: number },
  ): Promise<readonly SignedPut[]> {
    return Promise.all(this.#parts.keysOf(upload).map((key) => this.signPut(key, options)));
  }

  listParts(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    return translated(this.#parts.list(upload));
  }

  async joinParts(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null> {
    const record = await translated(this.#parts.join(upload, parts));
    return record && infoOf(record);
  }

  abandonParts(upload: MultipartUpload): Promise<void> {
    return translated(this.#parts.remove(upload));
  }

  /** What the query string of a URL made by `signPut` allows for `key` at this time; `null` when that is nothing. */
  permissionOf(key: string, query: string): PutPermission | null {
    return this.#signatures.verify(key, query, this.#clock.now());
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const record = await translated(this.#objects.find(key));
    return record && infoOf(record);
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const opened = await translated(this.#objects.open(key));
    return opened && streamOf(opened, range);
  }

  /** Opens an object for a reader outside; `null` also when its time is over. */
  async serve(key: string): Promise<ServedObject | null> {
    const opened = await translated(this.#objects.open(key));
    if (!opened) return null;
    const { record, bytes } = opened;
    const headers = headersAt(record.headers, this.#clock.now());
    if (!headers) {
      await bytes.close();
      return null;
    }
    const read = (range?: ByteRange): Readable => streamOf(opened, range);
    return { info: infoOf(record), headers, read, close: () => bytes.close() };
  }

  async put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo> {
    const write = (path: string): Promise<number> =>
      'file' in body ? copyDurably(body.file, path) : writeDurably(path, [body.bytes]);
    return infoOf(await translated(this.#objects.store(key, headers, write)));
  }

  /**
   * Stores what is PUT to a signed URL. A stream that breaks off, or has too many bytes, changes nothing.
   *
   * @throws DomainError `too_large`, `unavailable`; what the stream throws
   */
  async receive({ key, maxBytes }: PutPermission, bytes: AsyncIterable<Uint8Array>): Promise<ObjectInfo> {
    const headers = { contentType: 'application/octet-stream' };
    const write = (path: string): Promise<number> => writeDurably(path, bytes, maxBytes);
    return infoOf(await translated(this.#objects.store(key, headers, write)));
  }

  async copy(
    from: string,
    to: string,
    options: { readonly ifMatch?: string; readonly headers?: ObjectHeaders },
  ): Promise<ObjectInfo | null> {
    const record = await translated(this.#objects.copy(from, to, options));
    return record && infoOf(record);
  }

  async delete(keys: readonly string[]): Promise<void> {
    await translated(this.#objects.remove([...new Set(keys)]));
  }

  async *list(prefix: string, after?: string): AsyncIterable<readonly ObjectInfo[]> {
    let batch: ObjectInfo[] = [];
    try {
      for await (const record of this.#objects.list(prefix, after)) {
        batch.push(infoOf(record));
        if (batch.length < LIST_BATCH) continue;
        yield batch;
        batch = [];
      }
    } catch (error) {
      throw diskFailure(error);
    }
    if (batch.length > 0) yield batch;
  }

  async tidy(): Promise<void> {
    await translated(this.#tidying.takeTurn());
  }

  publicUrl(key: string): string {
    return this.#urls.urlOf(key);
  }

  keyOf(url: string): string | null {
    return this.#urls.keyOf(url);
  }
}

/** An object with an end may be kept elsewhere until that end; after it there are no headers any more. */
function headersAt(headers: ObjectHeaders, now: Date): ObjectHeaders | null {
  const { expiresAt, cacheControl = 'public' } = headers;
  if (!expiresAt) return headers;
  if (expiresAt <= now) return null;
  const secondsLeft = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  return { ...headers, cacheControl: `${cacheControl}, max-age=${secondsLeft}` };
}

function streamOf({ bytes }: OpenedObject, range?: ByteRange): Readable {
  return bytes.createReadStream({ start: range?.start ?? 0, end: range?.end ?? Infinity });
}

async function copyDurably(source: string, target: string): Promise<number> {
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const copy = await open(target, 'r+');
    try {
      await copy.sync();
      return (await copy.stat()).size;
    } finally {
      await copy.close();
    }
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  }
}

async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw diskFailure(error);
  }
}
