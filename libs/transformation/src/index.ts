export * from './domain/transformation.ts';
export * from './ports.ts';
export * from './variants.ts';
