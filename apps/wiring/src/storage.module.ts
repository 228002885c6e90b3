import { Inject, type OnApplicationShutdown } from '@nestjs/common';
import { DiskObjectStorage, isBucket, loadS3 } from '#adapters/storage';
import { SettingsError, type Settings } from '#config';
import type { Clock } from '#kernel';
import { withPrivatePlaces, type ObjectStorage } from '#files';
import { FileUrlsModule } from './file-urls.module.ts';
import { clock, settings, tracing } from './platform.ts';
import { provideMade, SharedModule, token } from './provide.ts';
import { traceStorage } from './traces.ts';

/** The object storage. It finds the object of a file at either place of the file's key. */
export const objectStorage = token<ObjectStorage>('ObjectStorage');
/** The same, with objects at exactly their place. */
export const objectPlaces = token<ObjectStorage>('ObjectPlaces');

/** The object storage: a bucket or a folder. */
@SharedModule(
  [FileUrlsModule],
  provideMade(objectPlaces, [settings, clock, tracing], async (values, time, traces) =>
    traceStorage(await openStorage(values, time), traces),
  ),
  provideMade(objectStorage, [objectPlaces], (places) => withPrivatePlaces(places)),
)
export class StorageModule implements OnApplicationShutdown {
  constructor(@Inject(objectStorage) private readonly storage: ObjectStorage) {}

  onApplicationShutdown(): void {
    if (isBucket(this.storage)) this.storage.close();
  }
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
