export * from './arbitraries.ts';
export * from './persona-stores.ts';
