import { Worker, type Job } from 'bullmq';
import type { Lane } from './lanes.ts';
import type { Delivery } from './outbox.ts';
import type { QueueConnection } from './queue-connection.ts';

const OPTIONS = {
  // A killed worker's jobs are noticed within both together, in seconds.
  lockDuration: 15_000,
  stalledInterval: 5_000,
  // The default of 1 loses jobs under kill -9; how often a job may be started is counted in our own table.
  maxStalledCount: 100,
  // How soon a worker looks again for a queue that was away, and how long stopping has to wait for that.
  runRetryDelay: 1000,
};

/**
 * Takes the jobs of one lane, so many at once.
 *
 * @param deliver resolves when what became of the job is recorded; its signal is aborted when the job is given to
 *   another worker
 */
export function openLaneWorker(
  queue: QueueConnection,
  lane: Lane,
  concurrency: number,
  deliver: (delivery: Delivery, lost?: AbortSignal) => Promise<void>,
): Worker<Delivery> {
  const worker = new Worker<Delivery>(
    lane,
    (job: Job<Delivery>, _token?: string, lost?: AbortSignal) => deliver(job.data, lost),
    { ...OPTIONS, ...queue.workers(), concurrency },
  );
  worker.on('lockRenewalFailed', (ids: string[]) => ids.forEach((id) => worker.cancelJob(id)));
  return worker;
}
