import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { DomainError, forEach } from '#kernel';
import type { MultipartStorage, MultipartUpload, ObjectHeaders, ObjectInfo, SigningLimits, UploadedPart } from '#files';
import { timeFor, type S3Connection } from './s3-connection.ts';
import { isRefusedPart } from './s3-failure.ts';
import { blocksOf } from './blocks.ts';

const COPY_CONCURRENCY = 4;
/** Part of a stream; one part at a time is in memory. The store takes 10,000 parts: up to 640 GB. */
const STREAMED_PART = 64 * 1024 ** 2;

/** Multipart uploads, whose parts clients send or the storage copies. */
export class S3Multipart implements MultipartStorage {
  constructor(private readonly s3: S3Connection) {}

  async begin(key: string, count: number, headers?: ObjectHeaders): Promise<MultipartUpload> {
    const target = { Bucket: this.s3.bucket, Key: key };
    const begun = new CreateMultipartUploadCommand({ ...target, ...(headers && servedWith(headers)) });
    const { UploadId = '' } = await this.s3.send(begun);
    return { key, id: UploadId, count };
  }

  sign({ key, id, count }: MultipartUpload, { expiresAt }: SigningLimits): Promise<readonly string[]> {
    const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
    return Promise.all(
      numbers.map((partNumber) =>
        this.s3.sign('PUT', key, expiresAt, { 'x-id': 'UploadPart', partNumber, uploadId: id }),
      ),
    );
  }

  async list(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    const parts: UploadedPart[] = [];
    let marker: string | undefined;
    do {
      const command = new ListPartsCommand({ ...this.#target(upload), PartNumberMarker: marker });
      const page = await this.s3.find(command);
      for (const { PartNumber = 0, Size = 0, ETag = '' } of page?.Parts ?? []) {
        parts.push({ number: PartNumber, size: Size, etag: ETag });
      }
      marker = page?.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    return parts;
  }

  async join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    const command = new CompleteMultipartUploadCommand({ ...this.#target(upload), MultipartUpload: { Parts } });
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    let joined: object | null;
    try {
      joined = await this.s3.find(command, timeFor(bytes), isRefusedPart);
    } catch (error) {
      // Ceph responds with a server error if the upload has been joined or abandoned.
      if ((await this.list(upload)).length > 0) throw error;
      return null;
    }
    return joined && this.s3.head(upload.key);
  }

  async abandon(upload: MultipartUpload): Promise<void> {
    await this.s3.find(new AbortMultipartUploadCommand(this.#target(upload)));
  }

  /** Stores an object of unknown size. @throws DomainError `unavailable`; the error of `chunks` */
  async store(key: string, chunks: AsyncIterable<Uint8Array>, headers: ObjectHeaders): Promise<ObjectInfo> {
    const upload = await this.begin(key, 1, headers);
    let stored: ObjectInfo | null = null;
    try {
      const parts: UploadedPart[] = [];
      for await (const block of blocksOf(chunks, STREAMED_PART)) {
        parts.push(await this.#send(upload, parts.length + 1, block));
      }
      stored = await this.join(upload, parts);
    } finally {
      if (!stored) await this.abandon(upload).catch(() => undefined);
    }
    if (!stored) throw new DomainError('unavailable', 'the object storage lost parts of the object; try again');
    return stored;
  }

  async #send(upload: MultipartUpload, number: number, bytes: Buffer): Promise<UploadedPart> {
    const part = { PartNumber: number, Body: bytes, ContentLength: bytes.length };
    const { ETag = '' } = await this.s3.send(
      new UploadPartCommand({ ...this.#target(upload), ...part }),
      timeFor(bytes.length),
    );
    return { number, size: bytes.length, etag: ETag };
  }

  /** Copies `source` in parts of `partBytes`. Returns `null` if it no longer exists or its etag has changed. */
  async copy(
    source: ObjectInfo,
    to: string,
    partBytes: number,
    headers: ObjectHeaders | undefined,
  ): Promise<ObjectInfo | null> {
    const upload = await this.begin(to, Math.ceil(source.size / partBytes), headers);
    let copy: ObjectInfo | null = null;
    try {
      const parts = await this.#copyParts(source, upload, partBytes);
      return (copy = parts && (await this.join(upload, parts)));
    } finally {
      if (!copy) await this.abandon(upload).catch(() => undefined);
    }
  }

  async #copyParts(source: ObjectInfo, upload: MultipartUpload, partBytes: number): Promise<UploadedPart[] | null> {
    const parts: UploadedPart[] = [];
    let exists = true;
    await forEach(Array(upload.count).keys(), COPY_CONCURRENCY, async (index) => {
      if (!exists) return;
      const start = index * partBytes;
      const size = Math.min(partBytes, source.size - start);
      const part = new UploadPartCopyCommand({
        ...this.#target(upload),
        PartNumber: index + 1,
        ...sourceOf(this.s3, source),
        CopySourceRange: `bytes=${start}-${start + size - 1}`,
      });
      const copied = await this.s3.find(part, timeFor(size));
      if (!copied) exists = false;
      parts[index] = { number: index + 1, size, etag: copied?.CopyPartResult?.ETag ?? '' };
    });
    return exists ? parts : null;
  }

  #target({ key, id }: MultipartUpload): { Bucket: string; Key: string; UploadId: string } {
    return { Bucket: this.s3.bucket, Key: key, UploadId: id };
  }
}

/** The source of a copy, which fails if the etag of the source has changed. */
export function sourceOf({ bucket }: S3Connection, { key, etag }: ObjectInfo) {
  const path = key.split('/').map(encodeURIComponent).join('/');
  return { CopySource: `${bucket}/${path}`, CopySourceIfMatch: etag };
}

/** Types that browsers may display inline, as they can't run scripts. */
const INLINE = /^(?:image\/(?!svg)|video\/)/;

/**
 * The headers that an object is served with. A bucket sends neither a Content-Security-Policy nor `nosniff`, so types
 * that could run scripts are served as attachments, which pages can still embed as images.
 */
export function servedWith(headers: ObjectHeaders) {
  const isInline = INLINE.test(headers.contentType) && headers.contentSecurityPolicy === undefined;
  return {
    ContentType: headers.contentType,
    CacheControl: headers.cacheControl,
    ContentDisposition: isInline ? headers.contentDisposition : 'attachment',
    Expires: headers.expiresAt,
  };
}
