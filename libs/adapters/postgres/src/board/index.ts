export { PostgresBoardViews } from './postgres-board-views.ts';
export { PostgresBoards, PostgresFolders } from './postgres-boards.ts';
export { PostgresMedia } from './postgres-media.ts';
