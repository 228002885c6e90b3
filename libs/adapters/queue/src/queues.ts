import { Worker, type ConnectionOptions, type Job, type Queue, type QueueOptions, type WorkerOptions } from 'bullmq';
import type { JobName } from '#kernel';

/** One queue for each kind of load, so that no kind waits behind another. */
export const QUEUES = ['generations', 'outputs', 'pictures', 'mail', 'webhooks', 'exports', 'housekeeping'] as const;
export type QueueName = (typeof QUEUES)[number];

export const QUEUE_OF = {
  'generation.run': 'generations',
  // Providers keep outputs only for minutes, so these jobs don't wait behind new generations.
  'generation.finish': 'outputs',
  'batch.cancel': 'housekeeping',
  'trial.run': 'generations',
  'submission.cancel': 'housekeeping',
  'training.process': 'pictures',
  'deletion.carry_out': 'housekeeping',
  'files.reclaim': 'housekeeping',
  'files.restore': 'housekeeping',
  'files.erase': 'housekeeping',
  'files.move': 'housekeeping',
  'media.process': 'pictures',
  'share.mark': 'pictures',
  'account.erase': 'housekeeping',
  'invitation.send': 'mail',
  'inbox.mail': 'mail',
  'review.mail': 'mail',
  'account.mail': 'mail',
  'account.notice': 'mail',
  'password_reset.request': 'mail',
  'sign_in.record_failure': 'housekeeping',
  'webhook.deliver': 'webhooks',
  'webhook.endpoint': 'webhooks',
  // They may run for hours.
  'export.run': 'exports',
} as const satisfies Record<JobName, QueueName>;

/** Maximum concurrent jobs of one workspace by queue, over all workers. */
export type WorkspaceLimits = Readonly<Record<QueueName, number>>;

/**
 * How many jobs of a queue one process runs including those beyond the limits of their workspaces, which start when no
 * other job may. The process keeps its other places free for jobs within the limits. Absent: none beyond.
 */
export type BeyondLimits = Partial<Readonly<Record<QueueName, number>>>;

/** The data of a ticket in the queue: the job, and the delivery of the job, that it was added for. */
export interface Delivery {
  readonly jobId: number;
  readonly delivery: number;
  /** True if the ticket was added for the first time; absent in tickets of older versions. */
  readonly isNew?: boolean;
}

/** A delivered ticket: the right to run the next jobs of its queue, one at a time. */
export interface Ticket extends Delivery {
  readonly id: string;
  readonly queue: QueueName;
  /** True if it is certain that no worker has had the ticket before. */
  readonly isFirst?: boolean;
}

export const ticketOf = (jobId: number, delivery: number) => `job-${jobId}-${delivery}`;

/** Receives the tickets of a queue. */
export interface TicketReceiver {
  /**
   * Runs jobs with a ticket; resolves when their outcomes are recorded.
   *
   * @param lost aborted when the queue gives the ticket to another worker
   */
  deliver(ticket: Ticket, lost?: AbortSignal): Promise<void>;
  /** Called when the worker with this ticket has stopped responding. */
  stalled(ticketId: string): void;
}

export type Queues = Readonly<Record<QueueName, Queue<Delivery>>>;

/** The connection of all BullMQ queues and workers of the process. */
export interface QueueConnection {
  /** Options of queues: while the server is unreachable, adding a job fails soon, and the outbox keeps the job. */
  readonly queues: Pick<QueueOptions, 'connection' | 'prefix' | 'streams'>;
  /** Options of workers, which wait while the server is unreachable. */
  workers(): { readonly connection: ConnectionOptions } & Pick<WorkerOptions, 'prefix' | 'drainDelay'>;
  /** Reports whether the server is known to be unreachable now. */
  isUnreachable(): boolean;
  /** Rejects if no job could be added now. */
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
  // The jobs of a killed worker are found after the sum of both at most.
  lockDuration: 15_000,
  stalledInterval: 5_000,
  // The default of 1 loses jobs when workers are killed; the table `jobs` counts the starts of a job.
  maxStalledCount: 100,
  // Interval between two attempts to reach the server; stopping waits for it.
  runRetryDelay: 1000,
};

/** Takes tickets from one queue, at most `concurrency` at a time. */
export function openQueueWorker(
  connection: QueueConnection,
  name: QueueName,
  concurrency: number,
  receiver: TicketReceiver,
): Worker<Delivery> {
  const worker = new Worker<Delivery>(
    name,
    ({ id, data, attemptsStarted }: Job<Delivery>, _token?: string, lost?: AbortSignal) =>
      receiver.deliver({ ...data, id: id!, queue: name, isFirst: data.isNew && attemptsStarted === 1 }, lost),
    { ...WORKER_OPTIONS, ...connection.workers(), concurrency },
  );
  worker.on('stalled', (id) => receiver.stalled(id));
  worker.on('lockRenewalFailed', (ids: string[]) => ids.forEach((id) => worker.cancelJob(id)));
  return worker;
}
