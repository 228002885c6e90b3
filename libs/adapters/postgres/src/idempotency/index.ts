export * from './postgres-idempotency-keys.ts';
