export * from './connections.module.ts';
export * from './identity.module.ts';
export * from './platform.module.ts';
export * from './platform.ts';
export * from './provide.ts';
