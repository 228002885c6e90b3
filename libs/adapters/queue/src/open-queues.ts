import { Queue } from 'bullmq';
import { LANES } from './lanes.ts';
import type { Delivery, Queues } from './outbox.ts';
import type { QueueConnection } from './queue-connection.ts';

/**
 * Opens the queue of every lane.
 *
 * @param onError told of what goes wrong later
 * @throws Error when a queue can't be reached: one whose first connection fails never makes another
 */
export async function openQueues(
  connection: QueueConnection,
  onError: (message: string) => void,
): Promise<Queues> {
  const opened = LANES.map((lane) => new Queue<Delivery>(lane, connection.queues));
  for (const queue of opened) queue.on('error', ({ message }) => onError(`queue ${queue.name}: ${message}`));
  await Promise.all(opened.map((queue) => queue.waitUntilReady()));
  return Object.fromEntries(LANES.map((lane, index) => [lane, opened[index]])) as Queues;
}
