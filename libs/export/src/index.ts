export * from './domain/archive.ts';
export * from './domain/export.ts';
export * from './export-runs.ts';
export * from './exports.ts';
export * from './ports.ts';
