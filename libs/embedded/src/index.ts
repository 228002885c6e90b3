export { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.ts';
export { openDataFolder } from './open-data-folder.ts';
