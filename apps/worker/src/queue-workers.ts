import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Worker } from 'bullmq';
import {
  JobRunner,
  openQueueWorker,
  Outbox,
  QUEUES,
  type BeyondLimits,
  type Delivery,
  type QueueConnection,
  type QueueName,
  type WorkspaceLimits,
} from '#adapters/queue';
import type { Settings } from '#config';
import { downloadLimits } from '#generation';
import { atMostEvery, queue, settings, WEBHOOK_CONCURRENCY } from '#wiring';

/** Maximum time for running jobs to notice that they have to stop. */
const HAND_BACK_MS = 3000;
/** Maximum time of stopping, which would never end for a queue that becomes unreachable meanwhile. */
const CLOSE_MS = 4000;

/** Concurrent mails, exports and housekeeping jobs of a worker. */
const FEW = 2;
/** Concurrent webhook calls of one workspace, whose receivers may be slow. */
const WEBHOOKS_OF_WORKSPACE = 4;

/** How many jobs a worker runs at a time. */
export function workerConcurrency({
  worker: { concurrency },
}: Pick<Settings, 'worker'>): Readonly<Record<QueueName, number>> {
  return {
    generations: concurrency,
    outputs: downloadLimits(concurrency).perWorker,
    pictures: concurrency,
    mail: FEW,
    webhooks: WEBHOOK_CONCURRENCY,
    exports: FEW,
    housekeeping: FEW,
  };
}

/** How many jobs of a workspace run at a time over all workers: by default one less than one worker runs. */
export function workspaceLimits(values: Pick<Settings, 'worker'>): WorkspaceLimits {
  const { concurrency, workspaceConcurrency } = values.worker;
  const perWorker = workerConcurrency(values);
  const limits = {
    generations: allButOne(perWorker.generations),
    outputs: downloadLimits(concurrency).perWorkspace,
    pictures: allButOne(perWorker.pictures),
    mail: allButOne(perWorker.mail),
    webhooks: WEBHOOKS_OF_WORKSPACE,
    exports: allButOne(perWorker.exports),
    housekeeping: allButOne(perWorker.housekeeping),
  };
  if (workspaceConcurrency === null) return limits;
  return Object.fromEntries(QUEUES.map((name) => [name, workspaceConcurrency])) as WorkspaceLimits;
}

/** Downloads of a workspace exceed its limit where a worker has places left, unless the operator has set the limit. */
export function beyondLimits({ worker }: Pick<Settings, 'worker'>): BeyondLimits {
  return worker.workspaceConcurrency === null ? { outputs: downloadLimits(worker.concurrency).perWorkerBeyond } : {};
}

function allButOne(jobs: number): number {
  return Math.max(1, jobs - 1);
}

/**
 * Takes tickets from every queue and gives them to the runner. `@Processor` is not used: its workers share the
 * connection of the queues, which fails at once while the queue is unreachable.
 */
export class QueueWorkers
  implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  #workers: readonly Worker<Delivery>[] = [];

  constructor(
    @Inject(JobRunner) private readonly runner: JobRunner,
    @Inject(Outbox) private readonly outbox: Outbox,
    @Inject(queue) private readonly connection: QueueConnection,
    @Inject(settings) private readonly values: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const concurrency = workerConcurrency(this.values);
    this.#workers = QUEUES.map((name) => {
      const worker = openQueueWorker(this.connection, name, concurrency[name], this.runner);
      const logger = new Logger(`Queue ${name}`);
      const report = atMostEvery(10, (message) => logger.error(message));
      return worker.on('error', ({ message }) => report(message));
    });
    // A worker whose first connection fails never takes a job.
    await Promise.all(this.#workers.map((worker) => worker.waitUntilReady()));
  }

  /** Stops taking jobs, then hands the running ones back to their queues. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.pause(true)));
    this.runner.stop();
  }

  /** Hands jobs back before anything is closed. The sweep of another worker finds jobs that take too long. */
  async beforeApplicationShutdown(): Promise<void> {
    const handedBack = this.runner.idle().then(() => this.outbox.close());
    await Promise.race([handedBack, sleep(HAND_BACK_MS, undefined, { ref: false })]);
  }

  async onApplicationShutdown(): Promise<void> {
    const closed = Promise.all(this.#workers.map((worker) => this.#close(worker)));
    await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  async #close(worker: Worker<Delivery>): Promise<void> {
    if (!this.connection.isUnreachable()) return worker.close();
    // The outcome of its jobs can't be recorded in the queue, only in the database.
    await this.runner.idle();
    await worker.close(true);
  }
}
