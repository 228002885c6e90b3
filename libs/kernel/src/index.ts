export * from './errors.ts';
export * from './for-each.ts';
export * from './jobs.ts';
export * from './page.ts';
export * from './ports.ts';
export * from './roles.ts';
export * from './sealing.ts';
export * from './tracing.ts';
