export * from './builders.ts';
export * from './generation-provider-contract.ts';
export * from './remote-provider-contract.ts';
export * from './remote-training-contract.ts';
