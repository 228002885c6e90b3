export { CryptoRandomTokens } from './crypto-random-tokens.ts';
export {
  DiskObjectStorage,
  type ByteRange,
  type DiskStorageOptions,
  type ServedObject,
} from './disk-object-storage.ts';
export { S3ObjectStorage, type S3StorageOptions } from './s3-object-storage.ts';
export type { PutPermission } from './upload-signatures.ts';
