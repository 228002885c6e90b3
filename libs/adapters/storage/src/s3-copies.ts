import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { forEach } from '#kernel';
import type { CopyOptions, ObjectHeaders, ObjectInfo } from '#files';
import { timeFor, type S3Connection } from './s3-connection.ts';
import { deleteObjects, headObject, servedWith } from './s3-objects.ts';

/** Bytes that S3 copies in one call at most. */
export const MAX_SINGLE_COPY = 5 * 1024 ** 3;
const MAX_PART = 1024 ** 3;
const PARTS_AT_ONCE = 4;

/** Copies within the bucket. */
export class S3Copies {
  /** @param maxSingle bytes of the largest object that is copied in one call */
  constructor(
    private readonly s3: S3Connection,
    private readonly maxSingle: number,
  ) {}

  /** See `ObjectStorage.copy`. With `ifMatch`, nobody else may write to `to`. */
  async copy(from: string, to: string, { ifMatch, headers }: CopyOptions): Promise<ObjectInfo | null> {
    const source = await headObject(this.s3, from);
    if (!source || (ifMatch !== undefined && source.etag !== ifMatch)) return null;
    const isDone =
      source.size <= this.maxSingle
        ? await this.#copyWhole(source, to, headers)
        : await this.#copyInParts(source, to, headers);
    if (!isDone) return null;
    const copy = await headObject(this.s3, to);
    if (ifMatch === undefined || !copy) return copy;
    // Not every store checks the condition: the copy is of the right source only if that is still there.
    const after = await headObject(this.s3, from);
    if (after?.etag === ifMatch && copy.size === source.size) return copy;
    await deleteObjects(this.s3, [to]);
    return null;
  }

  async #copyWhole(source: ObjectInfo, to: string, headers: ObjectHeaders | undefined): Promise<boolean> {
    const command = new CopyObjectCommand({
      Bucket: this.s3.bucket,
      Key: to,
      CopySource: this.#sourceOf(source),
      CopySourceIfMatch: source.etag,
      ...(headers && { MetadataDirective: 'REPLACE', ...servedWith(headers) }),
    });
    return (await this.s3.find(command, timeFor(source.size))) !== null;
  }

  async #copyInParts(source: ObjectInfo, to: string, headers: ObjectHeaders | undefined): Promise<boolean> {
    const target = { Bucket: this.s3.bucket, Key: to };
    const begun = await this.s3.send(
      new CreateMultipartUploadCommand({ ...target, ...(headers && servedWith(headers)) }),
    );
    const upload = { ...target, UploadId: begun.UploadId };
    let isDone = false;
    try {
      const parts = await this.#copyParts(source, upload);
      if (!parts) return false;
      const done = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } });
      await this.s3.send(done, timeFor(source.size));
      return (isDone = true);
    } finally {
      if (!isDone) await this.s3.find(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
    }
  }

  /** `null` when the source has changed. */
  async #copyParts(
    source: ObjectInfo,
    upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string | undefined },
  ): Promise<{ PartNumber: number; ETag: string | undefined }[] | null> {
    const size = Math.min(MAX_PART, this.maxSingle);
    const starts = Array.from({ length: Math.ceil(source.size / size) }, (_, index) => index * size);
    const etags: (string | undefined)[] = [];
    let isThere = true;
    await forEach(starts.entries(), PARTS_AT_ONCE, async ([index, start]) => {
      if (!isThere) return;
      const end = Math.min(start + size, source.size) - 1;
      const part = new UploadPartCopyCommand({
        ...upload,
        PartNumber: index + 1,
        CopySource: this.#sourceOf(source),
        CopySourceIfMatch: source.etag,
        CopySourceRange: `bytes=${start}-${end}`,
      });
      const answer = await this.s3.find(part, timeFor(end - start));
      if (!answer) isThere = false;
      etags[index] = answer?.CopyPartResult?.ETag;
    });
    return isThere ? etags.map((ETag, index) => ({ PartNumber: index + 1, ETag })) : null;
  }

  #sourceOf({ key }: ObjectInfo): string {
    return `${this.s3.bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  }
}
