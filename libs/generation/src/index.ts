export * from './domain/generation.ts';
export * from './domain/model.ts';
export * from './domain/parameters.ts';
export * from './domain/resolve-inputs.ts';
export * from './generations.ts';
export * from './ports.ts';
export * from './runs.ts';
export * from './watch.ts';
