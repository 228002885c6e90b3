export { PostgresCreditAudit } from './postgres-credit-audit.ts';
export * from './postgres-credit-ledger.ts';
