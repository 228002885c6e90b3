import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
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
import { readableOf } from './s3-body.ts';
import { S3Connection, timeFor, type S3Options } from './s3-connection.ts';
import { MAX_SINGLE_COPY, S3Copies } from './s3-copies.ts';
import { deleteObjects } from './s3-deletion.ts';
import { infoOfHead, servedWith } from './s3-object.ts';
import { S3Parts } from './s3-parts.ts';
import { S3Tidying } from './s3-tidying.ts';

export interface S3StorageOptions extends S3Options {
  /** Bytes of the largest object that is copied in one call; larger ones go part by part. */
  readonly maxSingleCopy?: number;
}

/** Objects in a bucket of any store that speaks S3. */
export class S3ObjectStorage implements ObjectStorage {
  readonly #s3: S3Connection;
  readonly #copies: S3Copies;
  readonly #parts: S3Parts;
  readonly #tidying: S3Tidying;
  readonly #urls: StoredUrls;
  readonly #clock: Clock;

  constructor({ maxSingleCopy = MAX_SINGLE_COPY, ...options }: S3StorageOptions) {
    const { clock } = options;
    this.#s3 = new S3Connection(options);
    this.#copies = new S3Copies(this.#s3, maxSingleCopy);
    this.#parts = new S3Parts(this.#s3);
    this.#tidying = new S3Tidying(this.#s3, clock);
    this.#urls = new StoredUrls(options.publicUrl ?? bucketUrl(options));
    this.#clock = clock;
  }

  /**
   * Finds the credentials, so that a process without any does not start.
   *
   * @throws Error when there are none, within seconds
   */
  loadCredentials(): Promise<void> {
    return this.#s3.loadCredentials();
  }

  /** S3 can't hold a signed PUT to a size: what is too large is seen when the bytes are looked at. */
  async signPut(key: string, { expiresAt }: { readonly expiresAt: Date }): Promise<SignedPut> {
    return { url: await this.#s3.signPut(key, expiresAt, { 'x-id': 'PutObject' }), headers: {} };
  }

  beginParts(key: string, count: number): Promise<MultipartUpload> {
    return this.#parts.begin(key, count);
  }

  async signParts(
    upload: MultipartUpload,
    { expiresAt }: { readonly expiresAt: Date },
  ): Promise<readonly SignedPut[]> {
    return (await this.#parts.sign(upload, expiresAt)).map((url) => ({ url, headers: {} }));
  }

  listParts(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    return this.#parts.list(upload);
  }

  async joinParts(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null> {
    return (await this.#parts.join(upload, parts)) ? this.head(upload.key) : null;
  }

  abandonParts(upload: MultipartUpload): Promise<void> {
    return this.#parts.abandon(upload);
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const answer = await this.#s3.find(new HeadObjectCommand({ Bucket: this.#s3.bucket, Key: key }));
    return answer && infoOfHead(key, answer);
  }

  async open(
    key: string,
    range?: { readonly start: number; readonly end: number },
  ): Promise<Readable | null> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const command = new GetObjectCommand({ Bucket: this.#s3.bucket, Key: key, ...(Range && { Range }) });
    const answer = await this.#s3.find(command);
    if (answer) return readableOf(answer.Body as Readable, 4 * this.#s3.patienceMs);
    // A range that begins behind the end is empty.
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

  async #put(
    key: string,
    bytes: Buffer | Readable,
    size: number,
    headers: ObjectHeaders,
  ): Promise<ObjectInfo> {
    const target = { Bucket: this.#s3.bucket, Key: key };
    const command = new PutObjectCommand({
      ...target,
      Body: bytes,
      ContentLength: size,
      ...servedWith(headers),
    });
    const { ETag = '' } = await this.#s3.send(command, timeFor(size));
    return { key, size, etag: ETag, modifiedAt: this.#clock.now() };
  }

  copy(
    from: string,
    to: string,
    options: { readonly ifMatch?: string; readonly headers?: ObjectHeaders },
  ): Promise<ObjectInfo | null> {
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

  publicUrl(key: string): string {
    return this.#urls.urlOf(key);
  }

  /** Of URLs that start with the present public base: those given out before it was changed are strangers' URLs. */
  keyOf(url: string): string | null {
    return this.#urls.keyOf(url);
  }

  close(): void {
    this.#s3.close();
  }
}

/** Where the bucket is for clients. */
/** Where clients reach the objects of a bucket without a CDN. */
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
