export * from './ports/generations.ts';
export * from './ports/presets.ts';
export * from './ports/providers.ts';
export * from './ports/styles.ts';
export * from './ports/submissions.ts';
export * from './ports/trials.ts';
