export * from './domain/source-failure.ts';
export * from './ports/pictures.ts';
export * from './ports/remote-sources.ts';
export * from './ports/temporary-folders.ts';
