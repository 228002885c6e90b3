export * from './credit-ledger-contract.ts';
