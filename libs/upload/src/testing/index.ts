export * from './arbitraries.ts';
export * from './in-memory-object-storage.ts';
export * from './object-storage-contract.ts';
