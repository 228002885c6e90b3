import { constants } from 'node:fs';
import { copyFile, open, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type {
  ByteRange,
  CopyOptions,
  MultipartStorage,
  ObjectBody,
  ObjectHeaders,
  ObjectInfo,
  ObjectStorage,
  SignedPut,
  SigningLimits,
} from '#files';
import type { Clock } from '#kernel';
import { diskFailure, translated, writeDurably } from './disk-files.ts';
import { DiskLayout, infoOf } from './disk-layout.ts';
import { DiskObjects, type OpenedObject } from './disk-objects.ts';
import { DiskParts } from './disk-parts.ts';
import { DiskTidying } from './disk-tidying.ts';
import { UploadSignatures, type PutPermission } from './upload-signatures.ts';

export interface DiskStorageOptions {
  /** The store's folder, where nobody else writes. Processes of one machine may share it. */
  readonly root: string;
  /** Base URL of the routes that accept uploads. */
  readonly publicUrl: string;
  /** Signs upload URLs; the same in all processes. */
  readonly secret: string;
  readonly clock: Clock;
}

/** An open object: its bytes can be read to the end even if it is replaced or deleted meanwhile. */
export interface ServedObject {
  readonly info: ObjectInfo;
  readonly headers: ObjectHeaders;
  /** All bytes or a range; can be called once. */
  read(range?: ByteRange): Readable;
  /** Must be called in the end, whether the bytes were read or not. */
  close(): Promise<void>;
}

const LIST_BATCH = 1_000;

/** Objects in a folder of this machine. */
export class DiskObjectStorage implements ObjectStorage {
  readonly parts: MultipartStorage;
  readonly #objects: DiskObjects;
  readonly #tidying: DiskTidying;
  readonly #signatures: UploadSignatures;
  readonly #putUrl: string;
  readonly #clock: Clock;

  constructor({ root, publicUrl, secret, clock }: DiskStorageOptions) {
    const layout = new DiskLayout(root);
    this.#objects = new DiskObjects(layout, clock);
    this.parts = new DiskParts(this.#objects, (key, limits) => this.#sign(key, limits));
    this.#tidying = new DiskTidying(layout, clock);
    this.#signatures = new UploadSignatures(secret);
    this.#putUrl = `${publicUrl.replace(/\/+$/, '')}/storage`;
    this.#clock = clock;
  }

  async signPut(key: string, limits: SigningLimits): Promise<SignedPut> {
    return this.#sign(key, limits);
  }

  #sign(key: string, limits: SigningLimits): SignedPut {
    return { url: `${this.#putUrl}/${key}?${this.#signatures.sign({ key, ...limits })}`, headers: {} };
  }

  /** The permission that the query string of a signed URL gives for `key` now; `null` when it gives none. */
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

  /** Opens an object for an HTTP response; `null` also when it has expired. */
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
   * Stores what is PUT to a signed URL. A stream that is interrupted, or has too many bytes, changes nothing.
   *
   * @throws DomainError `too_large`, `unavailable`; what the stream throws
   */
  async receive({ key, maxBytes }: PutPermission, bytes: AsyncIterable<Uint8Array>): Promise<ObjectInfo> {
    const headers = { contentType: 'application/octet-stream' };
    const write = (path: string): Promise<number> => writeDurably(path, bytes, maxBytes);
    return infoOf(await translated(this.#objects.store(key, headers, write)));
  }

  async copy(from: string, to: string, options: CopyOptions): Promise<ObjectInfo | null> {
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
}

/** Caches may keep an object that expires until then; an expired one has no headers (`null`). */
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
