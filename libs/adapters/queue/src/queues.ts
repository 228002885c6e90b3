import { Worker, type ConnectionOptions, type Job, type Queue, type QueueOptions, type WorkerOptions } from 'bullmq';
import type { JobName } from '#kernel';

/** One queue for each kind of load, so that no kind of work waits behind another. */
export const QUEUES = ['generations', 'pictures', 'mail', 'housekeeping'] as const;
export type QueueName = (typeof QUEUES)[number];

export const QUEUE_OF = {
  'generation.run': 'generations',
  'training.process': 'pictures',
  'persona.purge': 'housekeeping',
  'files.reclaim': 'housekeeping',
  'media.process': 'pictures',
  'board.purge': 'housekeeping',
  'invitation.send': 'mail',
} as const satisfies Record<JobName, QueueName>;

/** What the queue stores of a job; the row in the table `jobs` has the rest. */
export interface Delivery {
  readonly jobId: number;
  /** The number of this delivery. A job is started only by its latest one. */
  readonly delivery: number;
}

export type Queues = Readonly<Record<QueueName, Queue<Delivery>>>;

/** Where BullMQ keeps its queues, for all queues and workers of the process. */
export interface QueueConnection {
  /** For queues: adding a job fails soon when the server can't be reached, and the outbox keeps the job. */
  readonly queues: Pick<QueueOptions, 'connection' | 'prefix' | 'streams'>;
  /** For workers, which wait while the server can't be reached. */
  workers(): { readonly connection: ConnectionOptions } & Pick<WorkerOptions, 'prefix' | 'drainDelay'>;
  /** Whether the server is known to be unreachable now. */
  isAway(): boolean;
  /** Rejects when no job could be added now. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Waits until the queues are connected.
 *
 * @param opened the queues, in the order of `QUEUES`
 * @param onError called with the message of each later error
 * @throws Error when a queue can't be reached: a queue whose first connection fails never reconnects
 */
export async function readyQueues(
  opened: readonly Queue<Delivery>[],
  onError: (message: string) => void,
): Promise<Queues> {
  for (const queue of opened) queue.on('error', ({ message }) => onError(`queue ${queue.name}: ${message}`));
  await Promise.all(opened.map((queue) => queue.waitUntilReady()));
  return Object.fromEntries(QUEUES.map((name, index) => [name, opened[index]])) as Queues;
}

const WORKER_OPTIONS = {
  // The jobs of a killed worker are noticed after the sum of both at most.
  lockDuration: 15_000,
  stalledInterval: 5_000,
  // The default of 1 loses jobs when workers are killed; the table `jobs` counts the starts of a job.
  maxStalledCount: 100,
  // How soon a worker looks again for an unreachable server; stopping waits for it.
  runRetryDelay: 1000,
};

/**
 * Takes jobs from one queue, at most `concurrency` at a time.
 *
 * @param deliver resolves when the outcome of the job is recorded; its signal is aborted when the queue gives the job
 *   to another worker
 */
export function openQueueWorker(
  connection: QueueConnection,
  name: QueueName,
  concurrency: number,
  deliver: (delivery: Delivery, lost?: AbortSignal) => Promise<void>,
): Worker<Delivery> {
  const worker = new Worker<Delivery>(
    name,
    (job: Job<Delivery>, _token?: string, lost?: AbortSignal) => deliver(job.data, lost),
    { ...WORKER_OPTIONS, ...connection.workers(), concurrency },
  );
  worker.on('lockRenewalFailed', (ids: string[]) => ids.forEach((id) => worker.cancelJob(id)));
  return worker;
}
