export * from './platform.ts';
export * from './provide.ts';
