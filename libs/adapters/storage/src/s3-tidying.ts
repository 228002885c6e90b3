import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import type { Clock } from '#kernel';
import type { S3Connection } from './s3-connection.ts';

/** Prefixes that the service writes to; others are left alone. */
const AREAS = ['staging', 'frozen', 'files'];
/** Longer than any upload may take, however long its URLs last. */
const STALE_DAYS = 15;
const UPLOADS_A_TURN = 100;
const DAY_MS = 86_400_000;

interface Place {
  readonly area: number;
  readonly KeyMarker?: string;
  readonly UploadIdMarker?: string;
}

/** Aborts multipart uploads that were begun long ago and never ended, one page per turn. */
export class S3Tidying {
  #next: Place = { area: 0 };

  constructor(
    private readonly s3: S3Connection,
    private readonly clock: Clock,
  ) {}

  async takeTurn(): Promise<void> {
    const { area, ...markers } = this.#next;
    const Bucket = this.s3.bucket;
    const { Uploads, IsTruncated, NextKeyMarker, NextUploadIdMarker } = await this.s3.send(
      new ListMultipartUploadsCommand({ Bucket, Prefix: `${AREAS[area]}/`, MaxUploads: UPLOADS_A_TURN, ...markers }),
    );
    const before = this.clock.now().getTime() - STALE_DAYS * DAY_MS;
    for (const { Key, UploadId, Initiated } of Uploads ?? []) {
      if (!Initiated || Initiated.getTime() >= before) continue;
      await this.s3.find(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
    }
    this.#next =
      IsTruncated && NextKeyMarker
        ? { area, KeyMarker: NextKeyMarker, ...(NextUploadIdMarker && { UploadIdMarker: NextUploadIdMarker }) }
        : { area: (area + 1) % AREAS.length };
  }
}
