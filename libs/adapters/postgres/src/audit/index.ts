export * from './postgres-audit.ts';
