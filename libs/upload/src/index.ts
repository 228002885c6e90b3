export * from './domain/file-extension.ts';
export * from './domain/stored-file.ts';
export * from './ports/file-types.ts';
export * from './ports/files.ts';
export * from './ports/object-storage.ts';
