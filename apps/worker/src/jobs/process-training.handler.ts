import { Inject, Injectable } from '@nestjs/common';
import type { JobPayloads, JobRun } from '#kernel';
import type { JobHandler } from '#adapters/queue';
import { FailTraining, ProcessTraining } from '#persona';

@Injectable()
export class ProcessTrainingHandler implements JobHandler<'training.process'> {
  readonly name = 'training.process';

  constructor(
    @Inject(ProcessTraining) private readonly processTraining: ProcessTraining,
    @Inject(FailTraining) private readonly failTraining: FailTraining,
  ) {}

  run(payload: JobPayloads['training.process'], run: JobRun): Promise<void> {
    return this.processTraining.run(payload, run);
  }

  giveUp(payload: JobPayloads['training.process'], error: unknown): Promise<void> {
    return this.failTraining.run(payload, error);
  }
}
