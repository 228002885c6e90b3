export * from './deletions.ts';
export * from './ports.ts';
export * from './trash.ts';
