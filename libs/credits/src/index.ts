export * from './application/grant-credits.ts';
export * from './application/read-credits.ts';
export * from './domain/balance.ts';
export * from './domain/month.ts';
export * from './ports/credit-audit.ts';
export * from './ports/credit-ledger.ts';
