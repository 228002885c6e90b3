export * from './ports/generations.ts';
export * from './ports/providers.ts';
export * from './ports/submissions.ts';
