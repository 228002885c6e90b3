import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
} from '@aws-sdk/client-s3';
import type { MultipartStorage, MultipartUpload, ObjectInfo, SignedPut, SigningLimits, UploadedPart } from '#files';
import { timeFor, type S3Connection } from './s3-connection.ts';
import { isRefusedPart } from './s3-failure.ts';
import { headObject } from './s3-objects.ts';

/** Objects that clients send in parts. */
export class S3Parts implements MultipartStorage {
  constructor(private readonly s3: S3Connection) {}

  async begin(key: string, count: number): Promise<MultipartUpload> {
    const command = new CreateMultipartUploadCommand({ Bucket: this.s3.bucket, Key: key });
    const { UploadId = '' } = await this.s3.send(command);
    return { key, id: UploadId, count };
  }

  sign({ key, id, count }: MultipartUpload, { expiresAt }: SigningLimits): Promise<readonly SignedPut[]> {
    const numbers = Array.from({ length: count }, (_, index) => String(index + 1));
    return Promise.all(
      numbers.map(async (partNumber) => {
        const parameters = { 'x-id': 'UploadPart', partNumber, uploadId: id };
        return { url: await this.s3.signPut(key, expiresAt, parameters), headers: {} };
      }),
    );
  }

  async list(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    const parts: UploadedPart[] = [];
    let marker: string | undefined;
    do {
      const command = new ListPartsCommand({ ...this.#place(upload), PartNumberMarker: marker });
      const answer = await this.s3.find(command);
      for (const { PartNumber = 0, Size = 0, ETag = '' } of answer?.Parts ?? []) {
        parts.push({ number: PartNumber, size: Size, etag: ETag });
      }
      marker = answer?.IsTruncated ? answer.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    return parts;
  }

  async join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<ObjectInfo | null> {
    return (await this.#complete(upload, parts)) ? headObject(this.s3, upload.key) : null;
  }

  /** False when a part was replaced, or the upload no longer exists. */
  async #complete(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<boolean> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    const command = new CompleteMultipartUploadCommand({ ...this.#place(upload), MultipartUpload: { Parts } });
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    try {
      return (await this.s3.find(command, timeFor(bytes), isRefusedPart)) !== null;
    } catch (error) {
      // Ceph answers with a server error when the upload was joined or abandoned already.
      if ((await this.list(upload)).length > 0) throw error;
      return false;
    }
  }

  async abandon(upload: MultipartUpload): Promise<void> {
    await this.s3.find(new AbortMultipartUploadCommand(this.#place(upload)));
  }

  #place({ key, id }: MultipartUpload): { Bucket: string; Key: string; UploadId: string } {
    return { Bucket: this.s3.bucket, Key: key, UploadId: id };
  }
}
