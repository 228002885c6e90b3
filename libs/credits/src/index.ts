export * from './domain/month.ts';
export * from './ports/credit-ledger.ts';
