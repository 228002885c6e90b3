import { setDefaultBackendFactory } from 'bullmq';
import type { RedisConnection } from '#adapters/redis';
import type { QueueConnection } from './queue-connection.ts';

/** Braces make a cluster keep all keys on one node, which BullMQ's scripts need. */
const PREFIX = '{x12}';

/** A connection that broke without a word is noticed by the next look. */
const DRAIN_DELAY_SECONDS = 10;

/** Nobody listens to BullMQ's events; its default of 10,000 a queue is memory for nothing. */
const MAX_EVENTS = 100;

/** Lets BullMQ work on Redis or Valkey. The connection is the caller's to close. */
export function connectQueueToRedis(redis: RedisConnection): QueueConnection {
  setDefaultBackendFactory();
  return {
    queues: { connection: redis.client, prefix: PREFIX, streams: { events: { maxLen: MAX_EVENTS } } },
    workers: () => ({ connection: redis.patient(), prefix: PREFIX, drainDelay: DRAIN_DELAY_SECONDS }),
    isAway: () => redis.client.status !== 'ready',
    // A write: a server that is full can still be read.
    check: async () => void (await redis.client.set(`${PREFIX}:check`, 1, 'EX', 60)),
    close: async () => undefined,
  };
}
