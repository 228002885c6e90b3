import { Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject, Logger, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import type { Job, WorkerOptions } from 'bullmq';
import { JobRunner, type Delivery, type Lane } from '#adapters/queue';
import type { Settings } from '#config';
import { settings } from '#wiring';

const WORKER_OPTIONS: Omit<WorkerOptions, 'connection'> = {
  // A killed worker's jobs are noticed within both together, in seconds.
  lockDuration: 15_000,
  stalledInterval: 5_000,
  // The default of 1 loses jobs under kill -9; how often a job may be started is counted in our own table.
  maxStalledCount: 100,
  // An idle worker is woken by the database; this is only how often it makes sure.
  drainDelay: 60,
  // How soon a worker looks again for a database that was away, and how long stopping has to wait for that.
  runRetryDelay: 1000,
};

/** The worker of one queue: it hands what is delivered to the runner. */
function laneWorker(lane: Lane, concurrency: (values: Settings) => number): Type<WorkerHost> {
  @Processor(lane, WORKER_OPTIONS)
  class LaneWorker extends WorkerHost implements OnApplicationBootstrap {
    readonly #runner: JobRunner;
    readonly #concurrency: number;
    readonly #logger = new Logger(`Lane ${lane}`);

    constructor(@Inject(JobRunner) runner: JobRunner, @Inject(settings) values: Settings) {
      super();
      this.#runner = runner;
      this.#concurrency = concurrency(values);
    }

    async onApplicationBootstrap(): Promise<void> {
      this.worker.concurrency = this.#concurrency;
      this.worker.on('error', (error) => this.#logger.error(error.message));
      this.worker.on('lockRenewalFailed', (ids: string[]) => ids.forEach((id) => this.worker.cancelJob(id)));
      // As with queues: one whose first connection fails never takes a job.
      await this.worker.waitUntilReady();
    }

    override process(job: Job<Delivery>, _token?: string, lost?: AbortSignal): Promise<void> {
      return this.#runner.deliver(job.data, lost);
    }
  }
  return LaneWorker;
}

export const laneWorkers = [
  laneWorker('generations', (values) => values.worker.concurrency),
  laneWorker('pictures', (values) => values.worker.concurrency),
  laneWorker('mail', () => 2),
  laneWorker('housekeeping', () => 2),
];
