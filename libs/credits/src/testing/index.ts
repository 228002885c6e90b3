export * from './credit-ledger-contract.ts';
export * from './in-memory-credit-ledger.ts';
