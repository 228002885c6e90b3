export * from './domain/file-provenance.ts';
export * from './provenances.ts';
