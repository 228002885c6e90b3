export * from './domain/erasure.ts';
export * from './erasures.ts';
export * from './erasure-runs.ts';
export * from './ports.ts';
