export * from './disk-temporary-folders.ts';
