export * from './application/import-picture.ts';
export * from './application/open-picture.ts';
export * from './domain/picture-limits.ts';
export * from './domain/picture-type.ts';
export * from './domain/source-failure.ts';
export * from './ports/pictures.ts';
export * from './ports/remote-sources.ts';
export * from './ports/temporary-folders.ts';
