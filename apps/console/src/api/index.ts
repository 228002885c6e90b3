export { api } from './client.ts';
export { createQueryClient } from './query.ts';
export * from '#client';
export * from '#client/query';
