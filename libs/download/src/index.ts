export * from './domain/download.ts';
export * from './domain/paths.ts';
export * from './downloads.ts';
export * from './ports.ts';
export * from './zips.ts';
