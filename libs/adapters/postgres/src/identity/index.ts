export * from './postgres-tokens.ts';
