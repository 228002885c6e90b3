export * from './connections.module.ts';
export * from './credits.module.ts';
export * from './identity.module.ts';
export * from './log-options.ts';
export * from './platform.module.ts';
export * from './platform.ts';
export * from './provide.ts';
