import { Inject, type OnApplicationShutdown } from '@nestjs/common';
import { bucketUrl, DiskObjectStorage, isBucket, loadS3 } from '#adapters/storage';
import { SettingsError, type Settings } from '#config';
import type { Clock } from '#kernel';
import { StoredUrls, type ObjectStorage } from '#files';
import { clock, settings, tracing } from './platform.ts';
import { provideMade, SharedModule, token } from './provide.ts';
import { traceStorage } from './traces.ts';

export const objectStorage = token<ObjectStorage>('ObjectStorage');

/** The object storage: a bucket or a folder. */
@SharedModule(
  [],
  provideMade(StoredUrls, [settings], storedUrlsOf),
  provideMade(objectStorage, [settings, clock, tracing], async (values, time, traces) =>
    traceStorage(await openStorage(values, time), traces),
  ),
)
export class StorageModule implements OnApplicationShutdown {
  constructor(@Inject(objectStorage) private readonly storage: ObjectStorage) {}

  onApplicationShutdown(): void {
    if (isBucket(this.storage)) this.storage.close();
  }
}

export function storedUrlsOf({ http, storage }: Settings): StoredUrls {
  if (storage.bucket === null) return new StoredUrls(http.publicUrl, storage.formerPublicUrls);
  const bucket = storage.publicUrl ?? bucketUrl(storage);
  if (storage.filesServedBy === 'bucket') return new StoredUrls(bucket, storage.formerPublicUrls);
  return new StoredUrls(http.publicUrl, [bucket, ...storage.formerPublicUrls]);
}

/** @param patienceMs time limit for each response of a bucket, if the default is too long */
export async function openStorage(
  { data, disk, http, storage }: Settings,
  time: Clock,
  patienceMs?: number,
): Promise<ObjectStorage> {
  if (storage.bucket === null) {
    return new DiskObjectStorage({
      root: data.files,
      publicUrl: http.publicUrl,
      secret: storage.signingSecret,
      clock: time,
      reserveBytes: disk.reserveBytes,
    });
  }
  const { S3ObjectStorage } = await loadS3();
  const opened = new S3ObjectStorage({ ...storage, clock: time, patienceMs });
  await opened.loadCredentials().catch((error: unknown) => {
    throw new SettingsError(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are missing: S3_BUCKET is given, so give its credentials',
      { cause: error },
    );
  });
  return opened;
}
