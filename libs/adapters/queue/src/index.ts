export * from './job-handler.ts';
export * from './job-runner.ts';
export * from './lanes.ts';
export * from './outbox.ts';
export * from './queue-connection.ts';
export * from './retry-policy.ts';
