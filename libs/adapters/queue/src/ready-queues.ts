import type { Queue } from 'bullmq';
import { LANES } from './lanes.ts';
import type { Delivery, Queues } from './outbox.ts';

/**
 * The queues of all lanes, given in the order of the lanes, once they are connected.
 *
 * @param onError told of what goes wrong later
 * @throws Error when a queue can't be reached: one whose first connection fails never makes another
 */
export async function readyQueues(
  opened: readonly Queue<Delivery>[],
  onError: (message: string) => void,
): Promise<Queues> {
  for (const queue of opened) queue.on('error', ({ message }) => onError(`queue ${queue.name}: ${message}`));
  await Promise.all(opened.map((queue) => queue.waitUntilReady()));
  return Object.fromEntries(LANES.map((lane, index) => [lane, opened[index]])) as Queues;
}
