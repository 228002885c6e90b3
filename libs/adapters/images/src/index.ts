export * from './magic-file-types.ts';
export * from './sharp-pictures.ts';
