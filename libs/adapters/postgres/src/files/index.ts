export * from './postgres-discarded-files.ts';
export * from './postgres-files.ts';
export * from './postgres-storage-records.ts';
export * from './postgres-uploads.ts';
