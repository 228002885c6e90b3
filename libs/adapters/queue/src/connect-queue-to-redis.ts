import { setDefaultBackendFactory } from 'bullmq';
import type { RedisConnection } from '#adapters/redis';
import type { QueueConnection } from './queues.ts';

/** Braces make a cluster keep all keys on one node, which BullMQ's scripts need. */
const PREFIX = '{x12}';

/** Interval at which an idle worker polls, and notices a broken connection. */
const DRAIN_DELAY_SECONDS = 10;

/** The events of BullMQ are not used; its default keeps 10,000 for each queue in memory. */
const MAX_EVENTS = 100;

/** Runs BullMQ on Redis or Valkey. The caller closes the connection. */
export function connectQueueToRedis(redis: RedisConnection): QueueConnection {
  setDefaultBackendFactory();
  return {
    queues: { connection: redis.client, prefix: PREFIX, streams: { events: { maxLen: MAX_EVENTS } } },
    workers: () => ({ connection: redis.patient(), prefix: PREFIX, drainDelay: DRAIN_DELAY_SECONDS }),
    isUnreachable: () => redis.client.status !== 'ready',
    // A write, since a server whose memory is full still answers reads.
    check: async () => void (await redis.client.set(`${PREFIX}:check`, 1, 'EX', 60)),
    close: async () => undefined,
  };
}
