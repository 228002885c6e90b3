export * from './generation-signals.ts';
export * from './generation-store.ts';
export * from './generation-views.ts';
export * from './persona-slots.ts';
