export * from './audit-rules.ts';
export * from './postgres-audit.ts';
