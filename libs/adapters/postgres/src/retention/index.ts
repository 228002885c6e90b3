export * from './postgres-retention.ts';
