export * from './postgres-board-views.ts';
export * from './postgres-boards.ts';
export * from './postgres-folders.ts';
export * from './postgres-media-items.ts';
