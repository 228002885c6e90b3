export { DiskObjectStorage } from './disk-object-storage.ts';
export { DiskObjects } from './disk-objects.ts';
export { bucketRules, setUpBucket, type BucketRules } from './s3-bucket-setup.ts';
export { bucketUrl, S3ObjectStorage, type S3StorageOptions } from './s3-object-storage.ts';
export type { ServedObject } from './served-object.ts';
