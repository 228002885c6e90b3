import { Inject, type OnApplicationShutdown } from '@nestjs/common';
import { bucketUrl, DiskObjectStorage, HmacFileSignatures, isBucket, loadS3 } from '#adapters/storage';
import { SettingsError, type Settings } from '#config';
import type { Clock } from '#kernel';
import { StoredUrls, withPrivatePlaces, type FileSignatures, type ObjectStorage } from '#files';
import { clock, settings, tracing } from './platform.ts';
import { provideMade, SharedModule, token } from './provide.ts';
import { traceStorage } from './traces.ts';

/** The object storage. It finds the object of a file at either place of the file's key. */
export const objectStorage = token<ObjectStorage>('ObjectStorage');
/** The same, with objects at exactly their place. */
export const objectPlaces = token<ObjectStorage>('ObjectPlaces');
/** `null` for a bucket without a secret of the operator's. */
export const fileSignatures = token<FileSignatures | null>('FileSignatures');

/** The object storage: a bucket or a folder. */
@SharedModule(
  [],
  provideMade(StoredUrls, [settings], storedUrlsOf),
  provideMade(objectPlaces, [settings, clock, tracing], async (values, time, traces) =>
    traceStorage(await openStorage(values, time), traces),
  ),
  provideMade(objectStorage, [objectPlaces], (places) => withPrivatePlaces(places)),
  provideMade(fileSignatures, [settings], ({ storage: { signingSecret } }) =>
    signingSecret === null ? null : new HmacFileSignatures(signingSecret),
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
  if (storage.filesServedBy === 'bucket') return new StoredUrls(bucket, storage.formerPublicUrls, http.publicUrl);
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
