export * from './in-memory-persona-store.ts';
export * from './persona-store.ts';
export * from './personas-contract.ts';
export * from './trainings-contract.ts';
