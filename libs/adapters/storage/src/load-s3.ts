import type { ObjectStorage } from '#files';
import type { S3ObjectStorage } from './s3-object-storage.ts';

export type { BucketRules } from './s3-bucket-setup.ts';
export type { S3ObjectStorage, S3StorageOptions } from './s3-object-storage.ts';

/** Loads the code that needs the AWS SDK: processes without a bucket save its 15 MB. */
export async function loadS3() {
  const [{ S3ObjectStorage }, { bucketRules, setUpBucket }] = await Promise.all([
    import('./s3-object-storage.ts'),
    import('./s3-bucket-setup.ts'),
  ]);
  return { S3ObjectStorage, bucketRules, setUpBucket };
}

export function isBucket(storage: ObjectStorage): storage is S3ObjectStorage {
  return 'loadCredentials' in storage;
}
