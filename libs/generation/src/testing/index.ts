export * from './builders.ts';
export * from './generation-provider-contract.ts';
