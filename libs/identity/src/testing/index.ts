export * from './accounts-contract.ts';
export * from './arbitraries.ts';
export * from './doubles.ts';
export * from './passwords-contract.ts';
export * from './teams-contract.ts';
export * from './tokens-contract.ts';
