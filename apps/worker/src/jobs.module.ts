import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Logger, Module, type OnModuleDestroy } from '@nestjs/common';
import { Registry } from 'prom-client';
import { Database } from '#adapters/postgres';
import { JobRunner, Outbox, type JobHandler, type JobReport } from '#adapters/queue';
import type { Clock } from '#kernel';
import {
  clock,
  GenerationRunsModule,
  InvitationMailModule,
  BoardRunsModule,
  TrainingRunsModule,
  FilesModule,
} from '#wiring';
import { ProcessMediaHandler } from './jobs/process-media.handler.ts';
import { ProcessTrainingHandler } from './jobs/process-training.handler.ts';
import { PurgeBoardHandler } from './jobs/purge-board.handler.ts';
import { PurgePersonaHandler } from './jobs/purge-persona.handler.ts';
import { ReclaimFilesHandler } from './jobs/reclaim-files.handler.ts';
import { RunGenerationHandler } from './jobs/run-generation.handler.ts';
import { SendInvitationHandler } from './jobs/send-invitation.handler.ts';
import { laneWorkers } from './lanes.ts';
import { measureJobRuns } from './measure-job-runs.ts';

/** What jobs may take to notice that they have to stop. */
const HAND_OVER_MS = 3000;

/** A handler for each job there is. */
const HANDLERS = [
  ProcessMediaHandler,
  ProcessTrainingHandler,
  PurgeBoardHandler,
  PurgePersonaHandler,
  ReclaimFilesHandler,
  RunGenerationHandler,
  SendInvitationHandler,
];

/** Takes jobs from the queues and does them. */
@Module({
  imports: [GenerationRunsModule, InvitationMailModule, BoardRunsModule, TrainingRunsModule, FilesModule],
  providers: [
    ...HANDLERS,
    {
      provide: JobRunner,
      useFactory: (
        database: Database,
        outbox: Outbox,
        time: Clock,
        registry: Registry,
        ...handlers: JobHandler[]
      ) => {
        const measure = measureJobRuns(registry);
        return new JobRunner(database, outbox, time, handlers, (report) => {
          measure(report);
          say(report);
        });
      },
      inject: [Database, Outbox, clock, Registry, ...HANDLERS],
    },
    ...laneWorkers,
  ],
})
export class JobsModule implements OnModuleDestroy, BeforeApplicationShutdown {
  readonly #runner: JobRunner;
  readonly #outbox: Outbox;

  constructor(@Inject(JobRunner) runner: JobRunner, @Inject(Outbox) outbox: Outbox) {
    this.#runner = runner;
    this.#outbox = outbox;
  }

  /** Running jobs go back to their queues, so that the workers can close. */
  onModuleDestroy(): void {
    this.#runner.stop();
  }

  /** They are handed over before anything is closed; what takes too long the sweep of another worker finds. */
  async beforeApplicationShutdown(): Promise<void> {
    const handedOver = this.#runner.idle().then(() => this.#outbox.close());
    await Promise.race([handedOver, sleep(HAND_OVER_MS, undefined, { ref: false })]);
  }
}

const logger = new Logger('Jobs');

function say({ jobId, name, attempt, outcome, error, seconds }: JobReport): void {
  const facts = { jobId, job: name, attempt, outcome, seconds, ...(error !== undefined && { err: error }) };
  const words = `${name} ${jobId}: ${outcome}`;
  if (outcome === 'done' || outcome === 'handed_back') logger.log(facts, words);
  else logger.warn(facts, words);
}
