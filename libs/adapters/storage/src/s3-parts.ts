import { setImmediate as turn } from 'node:timers/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { MultipartUpload, UploadedPart } from '#upload';
import type { S3Connection } from './s3-connection.ts';
import { isRefusedPart } from './s3-failure.ts';

/** URLs signed before others get a turn. */
const SIGNED_AT_ONCE = 32;

/** Objects that clients send in parts. */
export class S3Parts {
  readonly #s3: S3Connection;

  constructor(s3: S3Connection) {
    this.#s3 = s3;
  }

  async begin(key: string, count: number): Promise<MultipartUpload> {
    const command = new CreateMultipartUploadCommand({ Bucket: this.#s3.bucket, Key: key });
    const { UploadId = '' } = await this.#s3.send(command);
    return { key, id: UploadId, count };
  }

  async sign(upload: MultipartUpload, expiresAt: Date): Promise<readonly string[]> {
    const urls: string[] = [];
    for (let number = 1; number <= upload.count; number++) {
      const command = new UploadPartCommand({ ...this.#place(upload), PartNumber: number });
      urls.push(await this.#s3.sign(command, expiresAt));
      if (number % SIGNED_AT_ONCE === 0) await turn();
    }
    return urls;
  }

  async list(upload: MultipartUpload): Promise<readonly UploadedPart[]> {
    const parts: UploadedPart[] = [];
    let marker: string | undefined;
    do {
      const command = new ListPartsCommand({ ...this.#place(upload), PartNumberMarker: marker });
      const answer = await this.#s3.find(command);
      for (const { PartNumber = 0, Size = 0, ETag = '' } of answer?.Parts ?? []) {
        parts.push({ number: PartNumber, size: Size, etag: ETag });
      }
      marker = answer?.IsTruncated ? answer.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    return parts;
  }

  /** False when a part is another one by now, or there is no such upload any more. */
  async join(upload: MultipartUpload, parts: readonly UploadedPart[]): Promise<boolean> {
    const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
    const command = new CompleteMultipartUploadCommand({
      ...this.#place(upload),
      MultipartUpload: { Parts },
    });
    const bytes = parts.reduce((sum, { size }) => sum + size, 0);
    try {
      return (await this.#s3.find(command, bytes, isRefusedPart)) !== null;
    } catch (error) {
      // Ceph calls it a fault of its own when others have joined the parts, or given them up.
      if ((await this.list(upload)).length > 0) throw error;
      return false;
    }
  }

  async abandon(upload: MultipartUpload): Promise<void> {
    await this.#s3.find(new AbortMultipartUploadCommand(this.#place(upload)));
  }

  #place({ key, id }: MultipartUpload): { Bucket: string; Key: string; UploadId: string } {
    return { Bucket: this.#s3.bucket, Key: key, UploadId: id };
  }
}
