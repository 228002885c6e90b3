export * from './arbitraries.ts';
export * from './doubles.ts';
export * from './passwords-contract.ts';
