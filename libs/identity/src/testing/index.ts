export * from './arbitraries.ts';
export * from './doubles.ts';
