export * from './ports.ts';
export * from './trash.ts';
