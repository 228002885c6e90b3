export { PostgresDiscardedFiles } from './discarded-files.ts';
export { PostgresFileRecords } from './file-records.ts';
export { PostgresStorageRecords } from './storage-records.ts';
export { PostgresUploadRecords } from './upload-records.ts';
