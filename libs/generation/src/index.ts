export * from './domain/model.ts';
export * from './ports/generation-provider.ts';
