export * from './domain/file-provenance.ts';
export * from './ports.ts';
export * from './provenances.ts';
