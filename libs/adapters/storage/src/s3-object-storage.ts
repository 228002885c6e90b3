import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import {
  servingHeaders,
  type ByteRange,
  type CopyOptions,
  type ObjectBody,
  type ObjectHeaders,
  type ObjectInfo,
  type ObjectStorage,
  type SigningLimits,
} from '#files';
import { S3Connection, timeFor, type S3Options } from './s3-connection.ts';
import { s3Failure } from './s3-failure.ts';
import { S3Multipart, servedWith, sourceOf } from './s3-multipart.ts';
import { headersAt, type ServedObject } from './served-object.ts';

export interface S3StorageOptions extends S3Options {
  /** Bytes of the largest object that is copied in one call; larger ones are copied in parts. */
  readonly maxSingleCopy?: number;
}

/** Bytes that S3 copies in one call at most. */
const MAX_SINGLE_COPY = 5 * 1024 ** 3;
const MAX_COPIED_PART = 1024 ** 3;
const DELETED_AT_ONCE = 1_000;
/** Additional time for each deleted object: some stores delete one after the other. */
const DELETION_MS = 20;
/** Characters that XML can't represent: one key with them would invalidate the whole list. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/;
/** The prefixes of the service; other objects are not touched. */
const AREAS = ['staging', 'frozen', 'files', 'kept', 'exports', 'weights', 'private'];
/** Age after which a multipart upload is abandoned: longer than its URLs can be valid, or than an export can take. */
const STALE_MS = 15 * 86_400_000;
const STALE_EXPORT_MS = 2 * 86_400_000;
const UPLOADS_A_TURN = 100;

/** Objects in a bucket of any S3-compatible store. */
export class S3ObjectStorage implements ObjectStorage {
  readonly parts: S3Multipart;
  readonly #s3: S3Connection;
  /** Where the next turn of tidying begins. */
  #next: { readonly area: number; readonly KeyMarker?: string; readonly UploadIdMarker?: string } = { area: 0 };

  constructor(private readonly options: S3StorageOptions) {
    this.#s3 = new S3Connection(options);
    this.parts = new S3Multipart(this.#s3);
  }

  /**
   * Loads the credentials, so that a process without credentials does not start.
   *
   * @throws Error when none are found within seconds
   */
  loadCredentials(): Promise<void> {
    return this.#s3.loadCredentials();
  }

  /** S3 can't limit the size of a signed PUT: uploads that are too large are refused when they are finalized. */
  signPut(key: string, { expiresAt }: Pick<SigningLimits, 'expiresAt'>): Promise<string> {
    return this.#s3.sign('PUT', key, expiresAt, { 'x-id': 'PutObject' });
  }

  signGet(key: string, expiresAt: Date, cacheControl?: string): Promise<string> {
    const parameters = { 'x-id': 'GetObject', ...(cacheControl && { 'response-cache-control': cacheControl }) };
    return this.#s3.sign('GET', key, expiresAt, parameters);
  }

  /** A bucket is never full. */
  async requireSpace(): Promise<void> {}

  head(key: string): Promise<ObjectInfo | null> {
    return this.#s3.head(key);
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await this.#s3.find(new GetObjectCommand({ ...this.#at(key), ...(Range && { Range }) }));
    if (found) {
      const chunks = chunksOf(found.Body as Readable, 4 * this.#s3.patienceMs);
      return Readable.from(chunks, { objectMode: false });
    }
    // A range that starts after the end is empty.
    return range && (await this.head(key)) ? Readable.from([]) : null;
  }

  /**
   * Opens an object for an HTTP response; `null` also when it has expired. Its headers are those of a saved file: a
   * bucket keeps no Content-Security-Policy.
   */
  async serve(key: string): Promise<ServedObject | null> {
    const found = await this.#s3.find(new HeadObjectCommand(this.#at(key)));
    if (!found) return null;
    const { ContentType: contentType = 'application/octet-stream', ExpiresString: expires } = found;
    const expiresAt = expires === undefined ? null : new Date(expires);
    const headers = headersAt(servingHeaders({ contentType, expiresAt }), this.options.clock.now());
    if (!headers) return null;
    const { ContentLength: size = 0, ETag = '', LastModified: modifiedAt = new Date(0) } = found;
    const info = { key, size, etag: ETag.replaceAll('"', ''), modifiedAt };
    const read = (range?: ByteRange) => Readable.from(this.#read(key, range), { objectMode: false });
    return { info, headers, read, close: async () => undefined };
  }

  async *#read(key: string, range: ByteRange | undefined): AsyncGenerator<Buffer> {
    const bytes = await this.open(key, range);
    if (!bytes) throw new Error(`${key} was deleted while it was served`);
    yield* bytes;
  }

  async put(key: string, body: ObjectBody, headers: ObjectHeaders): Promise<ObjectInfo> {
    if ('bytes' in body) return this.#put(key, body.bytes, body.bytes.length, headers);
    const { size } = await stat(body.file);
    const stream = createReadStream(body.file);
    try {
      return await this.#put(key, stream, size, headers);
    } finally {
      stream.destroy();
    }
  }

  putStream(key: string, chunks: AsyncIterable<Uint8Array>, headers: ObjectHeaders): Promise<ObjectInfo> {
    return this.parts.store(key, chunks, headers);
  }

  /** Stores an object of a known size in bytes. */
  putSized(key: string, bytes: Readable, size: number, headers: ObjectHeaders): Promise<ObjectInfo> {
    return this.#put(key, bytes, size, headers);
  }

  async #put(key: string, Body: Buffer | Readable, size: number, headers: ObjectHeaders): Promise<ObjectInfo> {
    const command = new PutObjectCommand({ ...this.#at(key), Body, ContentLength: size, ...servedWith(headers) });
    const { ETag = '' } = await this.#s3.send(command, timeFor(size));
    return { key, size, etag: ETag, modifiedAt: this.options.clock.now() };
  }

  /** With `ifMatch`, nobody else may write to `to`. */
  async copy(from: string, to: string, { ifMatch, headers }: CopyOptions): Promise<ObjectInfo | null> {
    const { maxSingleCopy = MAX_SINGLE_COPY } = this.options;
    const source = await this.head(from);
    if (!source || (ifMatch !== undefined && source.etag !== ifMatch)) return null;
    const copy =
      source.size <= maxSingleCopy
        ? await this.#copyWhole(source, to, headers)
        : await this.parts.copy(source, to, Math.min(MAX_COPIED_PART, maxSingleCopy), headers);
    if (!copy || ifMatch === undefined) return copy;
    // Not every store checks the condition: the copy is of the right source only if that is still there.
    const after = await this.head(from);
    if (after?.etag === ifMatch && copy.size === source.size) return copy;
    await this.delete([to]);
    return null;
  }

  async #copyWhole(source: ObjectInfo, to: string, headers: ObjectHeaders | undefined): Promise<ObjectInfo | null> {
    const command = new CopyObjectCommand({
      ...this.#at(to),
      ...sourceOf(this.#s3, source),
      ...(headers && { MetadataDirective: 'REPLACE', ...servedWith(headers) }),
    });
    return (await this.#s3.find(command, timeFor(source.size))) && this.head(to);
  }

  /** @throws DomainError `unavailable`; some may be deleted then */
  async delete(keys: readonly string[]): Promise<void> {
    const all = [...new Set(keys)];
    const listed = all.filter((key) => !NOT_IN_XML.test(key));
    for (let start = 0; start < listed.length; start += DELETED_AT_ONCE) {
      await this.#deleteGroup(listed.slice(start, start + DELETED_AT_ONCE));
    }
    for (const key of all.filter((each) => NOT_IN_XML.test(each))) {
      await this.#s3.find(new DeleteObjectCommand(this.#at(key)));
    }
  }

  async #deleteGroup(keys: readonly string[]): Promise<void> {
    const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
    const command = new DeleteObjectsCommand({ Bucket: this.#s3.bucket, Delete });
    const { Errors = [] } = await this.#s3.send(command, keys.length * DELETION_MS);
    const [failed] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
    if (!failed) return;
    const error = new Error(`${Errors.length} objects were not deleted: ${failed.Code}`);
    throw s3Failure(Object.assign(error, { name: failed.Code ?? 'Error' }));
  }

  /** In the order of the keys' UTF-8 bytes. */
  async *list(prefix: string, after?: string): AsyncIterable<readonly ObjectInfo[]> {
    let token: string | undefined;
    do {
      const page = await this.#s3.send(
        new ListObjectsV2Command({
          Bucket: this.#s3.bucket,
          Prefix: prefix,
          EncodingType: 'url',
          ...(token === undefined ? { StartAfter: after } : { ContinuationToken: token }),
        }),
      );
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
      const keyOf = (text: string): string =>
        page.EncodingType === 'url' ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
      const group = (page.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
        key: keyOf(Key),
        size: Size,
        etag: ETag,
        modifiedAt: LastModified ?? new Date(0),
      }));
      if (group.length > 0) yield group;
    } while (token !== undefined);
  }

  /** Abandons multipart uploads that began long ago and never ended, one page per turn. */
  async tidy(): Promise<void> {
    const { area, ...markers } = this.#next;
    const Bucket = this.#s3.bucket;
    const { Uploads, IsTruncated, NextKeyMarker, NextUploadIdMarker } = await this.#s3.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: `${AREAS[area]}/`, MaxUploads: UPLOADS_A_TURN, ...markers }),
    );
    const staleMs = AREAS[area] === 'exports' ? STALE_EXPORT_MS : STALE_MS;
    const before = this.options.clock.now().getTime() - staleMs;
    for (const { Key, UploadId, Initiated } of Uploads ?? []) {
      if (!Initiated || Initiated.getTime() >= before) continue;
      await this.#s3.find(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
    this.#next =
      IsTruncated && NextKeyMarker
        ? { area, KeyMarker: NextKeyMarker, ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }) }
        : { area: (area + 1) % AREAS.length };
  }

  close(): void {
    this.#s3.close();
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#s3.bucket, Key: key };
  }
}

/**
 * The bytes of a response for a reader who may be slow; an interruption is reported as a failure of the store.
 *
 * @param stallMs maximum wait for the next bytes
 */
async function* chunksOf(body: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await inTime(chunks.next(), body, stallMs);
      if (done) return;
      yield value as Buffer;
    }
  } catch (error) {
    throw s3Failure(error);
  } finally {
    body.destroy();
  }
}

async function inTime<T>(work: Promise<T>, body: Readable, stallMs: number): Promise<T> {
  const timer = setTimeout(() => {
    body.destroy(Object.assign(new Error('the bytes stopped coming'), { name: 'TimeoutError' }));
  }, stallMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
