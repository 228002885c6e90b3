import {
  Inject,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type Type,
} from '@nestjs/common';
import type { Worker } from 'bullmq';
import { JobRunner, openLaneWorker, type Delivery, type Lane, type QueueConnection } from '#adapters/queue';
import type { Settings } from '#config';
import { atMostEvery, queue, settings } from '#wiring';

/** What stopping waits for at most: a queue that goes away meanwhile would keep it for ever. */
const CLOSE_MS = 4000;

/** The worker of one queue: it hands what is delivered to the runner. */
function laneWorker(lane: Lane, concurrency: (values: Settings) => number): Type {
  // Not a `@Processor`: those share the connection of the queues, which doesn't wait for a queue that is away.
  class LaneWorker implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
    readonly #runner: JobRunner;
    readonly #queue: QueueConnection;
    readonly #concurrency: number;
    #worker: Worker<Delivery> | null = null;

    constructor(
      @Inject(JobRunner) runner: JobRunner,
      @Inject(queue) to: QueueConnection,
      @Inject(settings) values: Settings,
    ) {
      this.#runner = runner;
      this.#queue = to;
      this.#concurrency = concurrency(values);
    }

    async onApplicationBootstrap(): Promise<void> {
      const deliver: JobRunner['deliver'] = (delivery, lost) => this.#runner.deliver(delivery, lost);
      this.#worker = openLaneWorker(this.#queue, lane, this.#concurrency, deliver);
      const logger = new Logger(`Lane ${lane}`);
      const say = atMostEvery(10, (message) => logger.error(message));
      this.#worker.on('error', ({ message }) => say(message));
      // As with queues: one whose first connection fails never takes a job.
      await this.#worker.waitUntilReady();
    }

    /** Takes nothing any more: a job that is handed back would come straight here again. */
    async onModuleDestroy(): Promise<void> {
      await this.#worker?.pause(true);
    }

    async onApplicationShutdown(): Promise<void> {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
      await Promise.race([this.#close(), patience]);
      clearTimeout(timer);
    }

    async #close(): Promise<void> {
      if (!this.#queue.isAway()) return this.#worker?.close();
      // The queue can't be told what became of its jobs; the database is.
      await this.#runner.idle();
      await this.#worker?.close(true);
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
