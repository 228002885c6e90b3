export * from './provide.ts';
