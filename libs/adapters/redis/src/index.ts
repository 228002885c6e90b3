export * from './connect-redis.ts';
export * from './inspect-redis.ts';
