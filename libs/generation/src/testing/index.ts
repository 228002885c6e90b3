export * from './builders.ts';
export * from './generation-provider-contract.ts';
export * from './generation-signals-contract.ts';
export * from './generation-views-contract.ts';
export * from './generation-world.ts';
export * from './generations-contract.ts';
export * from './in-memory-generations.ts';
export * from './persona-slots-contract.ts';
