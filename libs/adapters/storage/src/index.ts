export { DiskObjectStorage } from './disk-object-storage.ts';
export { freeBytesIn } from './disk-reserve.ts';
export { DiskObjects } from './disk-objects.ts';
export { HmacFileSignatures } from './file-signatures.ts';
export { bucketUrl } from './bucket-url.ts';
export { isBucket, loadS3, type BucketRules, type S3ObjectStorage, type S3StorageOptions } from './load-s3.ts';
export type { ServedObject } from './served-object.ts';
