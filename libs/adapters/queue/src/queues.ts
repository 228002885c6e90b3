import { Worker, type ConnectionOptions, type Job, type Queue, type QueueOptions, type WorkerOptions } from 'bullmq';
import type { JobName } from '#kernel';

/** One queue for each kind of load, so that no kind of work waits behind another. */
export const QUEUES = ['generations', 'outputs', 'pictures', 'mail', 'webhooks', 'housekeeping'] as const;
export type QueueName = (typeof QUEUES)[number];

export const QUEUE_OF = {
  'generation.run': 'generations',
  // Providers keep outputs for minutes only: these don't wait behind generations that were requested later.
  'generation.finish': 'outputs',
  'submission.cancel': 'housekeeping',
  'training.process': 'pictures',
  'deletion.carry_out': 'housekeeping',
  'persona.purge': 'housekeeping',
  'files.reclaim': 'housekeeping',
  'files.restore': 'housekeeping',
  'files.erase': 'housekeeping',
  'media.process': 'pictures',
  'board.purge': 'housekeeping',
  'invitation.send': 'mail',
  'account.mail': 'mail',
  'account.notice': 'mail',
  'password_reset.request': 'mail',
  'webhook.deliver': 'webhooks',
} as const satisfies Record<JobName, QueueName>;

/** How many jobs of one workspace run at once, by queue and over all workers. */
export type WorkspaceLimits = Readonly<Record<QueueName, number>>;

/** What the queue stores of a ticket: for which job, and which delivery of it, the ticket was added. */
export interface Delivery {
  readonly jobId: number;
  readonly delivery: number;
  /** Whether the ticket was never added before; absent for tickets of older versions. */
  readonly isNew?: boolean;
}

/** A ticket as it is delivered: the right to run jobs of its queue, whichever come next, one at a time. */
export interface Ticket extends Delivery {
  readonly id: string;
  readonly queue: QueueName;
  /** Whether it is certain that no worker has had it before. */
  readonly isFirst?: boolean;
}

export const ticketOf = (jobId: number, delivery: number) => `job-${jobId}-${delivery}`;

/** Takes what a queue delivers. */
export interface TicketHolder {
  /**
   * Resolves when the outcomes are recorded.
   *
   * @param lost aborted when the queue gives the ticket to another worker
   */
  deliver(ticket: Ticket, lost?: AbortSignal): Promise<void>;
  /** Called when the worker that had this ticket has stopped responding. */
  stalled(ticketId: string): void;
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

/** Takes tickets from one queue, at most `concurrency` at a time. */
export function openQueueWorker(
  connection: QueueConnection,
  name: QueueName,
  concurrency: number,
  holder: TicketHolder,
): Worker<Delivery> {
  const worker = new Worker<Delivery>(
    name,
    ({ id, data, attemptsStarted }: Job<Delivery>, _token?: string, lost?: AbortSignal) =>
      holder.deliver({ ...data, id: id!, queue: name, isFirst: data.isNew && attemptsStarted === 1 }, lost),
    { ...WORKER_OPTIONS, ...connection.workers(), concurrency },
  );
  worker.on('stalled', (id) => holder.stalled(id));
  worker.on('lockRenewalFailed', (ids: string[]) => ids.forEach((id) => worker.cancelJob(id)));
  return worker;
}
