import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Database } from '#adapters/postgres';
import { JobRunner, Outbox, type JobReport } from '#adapters/queue';
import {
  BoardRunsModule,
  clock,
  FilesModule,
  GenerationRunsModule,
  MailModule,
  provideMade,
  TrainingRunsModule,
} from '#wiring';
import { handlers, jobHandlers } from './job-handlers.ts';
import { measureJobRuns } from './metrics.ts';
import { QueueWorkers } from './queue-workers.ts';

/** Maximum time for running jobs to notice that they have to stop. */
const HAND_BACK_MS = 3000;

/** Takes jobs from the queues and runs them. */
@Module({
  imports: [GenerationRunsModule, MailModule, BoardRunsModule, TrainingRunsModule, FilesModule],
  providers: [
    jobHandlers,
    provideMade(JobRunner, [Database, Outbox, clock, handlers, Registry], (database, outbox, time, table, registry) => {
      const measure = measureJobRuns(registry);
      return new JobRunner(database, outbox, time, table, (report) => {
        measure(report);
        log(report);
      });
    }),
    QueueWorkers,
  ],
})
export class JobsModule implements OnModuleDestroy, BeforeApplicationShutdown {
  constructor(
    @Inject(JobRunner) private readonly runner: JobRunner,
    @Inject(Outbox) private readonly outbox: Outbox,
  ) {}

  /** Running jobs go back to their queues, so that the workers can close. */
  onModuleDestroy(): void {
    this.runner.stop();
  }

  /** Jobs are handed back before anything is closed. The sweep of another worker finds those that take too long. */
  async beforeApplicationShutdown(): Promise<void> {
    const handedBack = this.runner.idle().then(() => this.outbox.close());
    await Promise.race([handedBack, sleep(HAND_BACK_MS, undefined, { ref: false })]);
  }
}

const logger = new Logger('Jobs');

function log({ jobId, name, attempt, outcome, error, seconds }: JobReport): void {
  const facts = { jobId, job: name, attempt, outcome, seconds, ...(error !== undefined && { err: error }) };
  const message = `${name} ${jobId}: ${outcome}`;
  if (outcome === 'done' || outcome === 'handed_back') logger.log(facts, message);
  else logger.warn(facts, message);
}
