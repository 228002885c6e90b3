export * from './builders.ts';
export * from './file-store.ts';
export * from './in-memory-object-storage.ts';
export * from './object-storage-contract.ts';
export * from './upload-room.ts';
