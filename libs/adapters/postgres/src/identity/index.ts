export * from './postgres-accounts.ts';
export * from './postgres-directory.ts';
export * from './postgres-teams.ts';
export * from './postgres-tokens.ts';
