export * from './ports/audit.ts';
