export * from './connect-queue-to-postgres.ts';
export * from './connect-queue-to-redis.ts';
export * from './job-runner.ts';
export * from './outbox.ts';
export * from './queues.ts';
export * from './retry-policy.ts';
