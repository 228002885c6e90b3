export * from './connect.ts';
export * from './credits/index.ts';
export * from './database.ts';
export * from './generation/index.ts';
export * from './identity/index.ts';
export * from './migrate.ts';
export * from './persona/index.ts';
export * from './postgres-unit-of-work.ts';
