export * from './domain/actions.ts';
export * from './domain/entry.ts';
export * from './ports.ts';
