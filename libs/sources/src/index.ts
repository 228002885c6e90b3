export * from './derived-files.ts';
export * from './domain/color.ts';
export * from './domain/look.ts';
export * from './domain/picture-limits.ts';
export * from './domain/picture-type.ts';
export * from './domain/source-failure.ts';
export * from './ports.ts';
export * from './sources.ts';
