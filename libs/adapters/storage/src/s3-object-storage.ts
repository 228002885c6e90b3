import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import type { Clock } from '#kernel';
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
import { S3Connection, timeFor, type S3Options } from './s3-connection.ts';
import { MAX_SINGLE_COPY, S3Copies } from './s3-copies.ts';
import { deleteObjects, headObject, readableOf, servedWith } from './s3-objects.ts';
import { S3Parts } from './s3-parts.ts';
import { S3Tidying } from './s3-tidying.ts';

export interface S3StorageOptions extends S3Options {
  /** Bytes of the largest object that is copied in one call; larger ones are copied in parts. */
  readonly maxSingleCopy?: number;
}

/** Objects in a bucket of any S3-compatible store. */
export class S3ObjectStorage implements ObjectStorage {
  readonly parts: MultipartStorage;
  readonly #s3: S3Connection;
  readonly #copies: S3Copies;
  readonly #tidying: S3Tidying;
  readonly #clock: Clock;

  constructor({ maxSingleCopy = MAX_SINGLE_COPY, ...options }: S3StorageOptions) {
    this.#s3 = new S3Connection(options);
    this.parts = new S3Parts(this.#s3);
    this.#copies = new S3Copies(this.#s3, maxSingleCopy);
    this.#tidying = new S3Tidying(this.#s3, options.clock);
    this.#clock = options.clock;
  }

  /**
   * Loads the credentials, so that a process without any does not start.
   *
   * @throws Error when none are found within seconds
   */
  loadCredentials(): Promise<void> {
    return this.#s3.loadCredentials();
  }

  /** S3 can't limit the size of a signed PUT: uploads that are too large are refused when they are finalized. */
  async signPut(key: string, { expiresAt }: Pick<SigningLimits, 'expiresAt'>): Promise<SignedPut> {
    return { url: await this.#s3.signPut(key, expiresAt, { 'x-id': 'PutObject' }), headers: {} };
  }

  head(key: string): Promise<ObjectInfo | null> {
    return headObject(this.#s3, key);
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ Bucket: this.#s3.bucket, Key: key, ...(Range && { Range }) });
    const answer = await this.#s3.find(command);
    if (answer) return readableOf(answer.Body as Readable, 4 * this.#s3.patienceMs);
    // A range that starts after the end is empty.
    return range && (await this.head(key)) ? Readable.from([]) : null;
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

  async #put(key: string, bytes: Buffer | Readable, size: number, headers: ObjectHeaders): Promise<ObjectInfo> {
    const target = { Bucket: this.#s3.bucket, Key: key };
    const command = new PutObjectCommand({ ...target, Body: bytes, ContentLength: size, ...servedWith(headers) });
    const { ETag = '' } = await this.#s3.send(command, timeFor(size));
    return { key, size, etag: ETag, modifiedAt: this.#clock.now() };
  }

  copy(from: string, to: string, options: CopyOptions): Promise<ObjectInfo | null> {
    return this.#copies.copy(from, to, options);
  }

  delete(keys: readonly string[]): Promise<void> {
    return deleteObjects(this.#s3, keys);
  }

  /** In the order of the keys' UTF-8 bytes. */
  async *list(prefix: string, after?: string): AsyncIterable<readonly ObjectInfo[]> {
    let token: string | undefined;
    do {
      const answer = await this.#s3.send(
        new ListObjectsV2Command({
          Bucket: this.#s3.bucket,
          Prefix: prefix,
          EncodingType: 'url',
          ...(token === undefined ? { StartAfter: after } : { ContinuationToken: token }),
        }),
      );
      token = answer.IsTruncated ? answer.NextContinuationToken : undefined;
      const keyOf = (text: string): string =>
        answer.EncodingType === 'url' ? decodeURIComponent(text.replaceAll('+', ' ')) : text;
      const batch = (answer.Contents ?? []).map(({ Key = '', Size = 0, ETag = '', LastModified }) => ({
        key: keyOf(Key),
        size: Size,
        etag: ETag,
        modifiedAt: LastModified ?? new Date(0),
      }));
      if (batch.length > 0) yield batch;
    } while (token !== undefined);
  }

  tidy(): Promise<void> {
    return this.#tidying.takeTurn();
  }

  close(): void {
    this.#s3.close();
  }
}

/** Base URL of a bucket for clients, without a CDN. */
export function bucketUrl({
  bucket,
  region,
  endpoint,
  publicEndpoint,
  forcePathStyle,
}: Pick<S3Options, 'bucket' | 'region' | 'endpoint' | 'publicEndpoint' | 'forcePathStyle'>): string {
  const at = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (forcePathStyle) at.pathname = `${at.pathname.replace(/\/+$/, '')}/${bucket}`;
  else at.hostname = `${bucket}.${at.hostname}`;
  return at.href;
}
