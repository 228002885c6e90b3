export { DiskObjectStorage, type DiskStorageOptions, type ServedObject } from './disk-object-storage.ts';
export { bucketRules, type BucketRules } from './s3-bucket-rules.ts';
export { S3BucketSetup, type SetupStep } from './s3-bucket-setup.ts';
export type { S3Options } from './s3-connection.ts';
export { bucketUrl, S3ObjectStorage, type S3StorageOptions } from './s3-object-storage.ts';
export type { PutPermission } from './upload-signatures.ts';
