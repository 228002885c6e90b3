import type { ConnectionOptions, QueueOptions, WorkerOptions } from 'bullmq';

/** Where BullMQ keeps its queues, for all queues and workers of the process. */
export interface QueueConnection {
  /** For queues: handing over fails soon when the queue can't be reached, and the outbox keeps the job. */
  readonly queues: Pick<QueueOptions, 'connection' | 'prefix' | 'streams'>;
  /** For workers, which wait for a queue that is away. */
  workers(): { readonly connection: ConnectionOptions } & Pick<WorkerOptions, 'prefix' | 'drainDelay'>;
  /** Whether it is known to be away just now. */
  isAway(): boolean;
  /** Rejects when no job could be handed over now. */
  check(): Promise<void>;
  close(): Promise<void>;
}
