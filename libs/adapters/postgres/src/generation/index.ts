export * from './postgres-generation-signals.ts';
export * from './postgres-generation-views.ts';
export * from './postgres-generations.ts';
export * from './postgres-persona-slots.ts';
