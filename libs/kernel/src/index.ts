export * from './clock.ts';
export * from './errors.ts';
export * from './jobs.ts';
export * from './page.ts';
export * from './roles.ts';
export * from './unit-of-work.ts';
