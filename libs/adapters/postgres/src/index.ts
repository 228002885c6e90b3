export * from './connect.ts';
export * from './database.ts';
export * from './identity/index.ts';
export * from './migrate.ts';
export * from './postgres-unit-of-work.ts';
