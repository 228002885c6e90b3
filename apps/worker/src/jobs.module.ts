import { Logger, Module } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Database } from '#adapters/postgres';
import { JobRunner, Outbox, type JobReport } from '#adapters/queue';
import {
  BatchModule,
  BoardRunsModule,
  clock,
  DeletionsModule,
  ExportRunsModule,
  ErasureRunsModule,
  FilesModule,
  GenerationRunsModule,
  MailModule,
  provideMade,
  settings,
  SharingRunsModule,
  tracing,
  TrainingRunsModule,
  WebhookRunsModule,
} from '#wiring';
import { handlers, jobHandlers } from './job-handlers.ts';
import { measureJobRuns } from './metrics.ts';
import { beyondLimits, QueueWorkers, workspaceLimits } from './queue-workers.ts';

/** Takes jobs from the queues and runs them. */
@Module({
  imports: [
    GenerationRunsModule,
    MailModule,
    BatchModule,
    BoardRunsModule,
    SharingRunsModule,
    TrainingRunsModule,
    WebhookRunsModule,
    FilesModule,
    DeletionsModule,
    ExportRunsModule,
    ErasureRunsModule,
  ],
  providers: [
    jobHandlers,
    provideMade(
      JobRunner,
      [Database, Outbox, clock, handlers, Registry, settings, tracing],
      (...[to, outbox, time, table, registry, values, traces]) => {
        const measure = measureJobRuns(registry);
        const report = (run: JobReport) => {
          measure(run);
          log(run);
        };
        return new JobRunner(to, outbox, time, table, report, workspaceLimits(values), traces, beyondLimits(values));
      },
    ),
    QueueWorkers,
  ],
})
export class JobsModule {}

const logger = new Logger('Jobs');

function log({ jobId, name, attempt, outcome, error, seconds }: JobReport): void {
  const facts = { jobId, job: name, attempt, outcome, seconds, ...(error !== undefined && { err: error }) };
  const message = `${name} ${jobId}: ${outcome}`;
  if (outcome === 'done' || outcome === 'handed_back') logger.log(facts, message);
  else logger.warn(facts, message);
}
