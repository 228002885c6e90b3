export * from './boards.ts';
export * from './domain/board.ts';
export { isTooDeep, MAX_DEPTH } from './domain/folder-tree.ts';
export * from './domain/media-kind.ts';
export * from './domain/media.ts';
export * from './folders.ts';
export * from './media.ts';
export * from './ports.ts';
export * from './prepare-media.ts';
