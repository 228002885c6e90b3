export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.ts';
export { probePort } from './free-port.ts';
export { lockFolder, type FolderLock } from './lock-folder.ts';
export { openDataFolder } from './open-data-folder.ts';
export { StartError } from './start-error.ts';
