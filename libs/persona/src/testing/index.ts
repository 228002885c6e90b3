export * from './persona-stores.ts';
export * from './personas-contract.ts';
export * from './trainings-contract.ts';
