import { Inject, Injectable } from '@nestjs/common';
import { GiveUpGeneration, RunGeneration } from '#generation';
import type { JobPayloads, JobRun } from '#kernel';
import type { JobHandler } from '#adapters/queue';

@Injectable()
export class RunGenerationHandler implements JobHandler<'generation.run'> {
  readonly name = 'generation.run';

  constructor(
    @Inject(RunGeneration) private readonly runGeneration: RunGeneration,
    @Inject(GiveUpGeneration) private readonly giveUpGeneration: GiveUpGeneration,
  ) {}

  run({ generationId }: JobPayloads['generation.run'], run: JobRun): Promise<void> {
    return this.runGeneration.run(generationId, run);
  }

  giveUp({ generationId }: JobPayloads['generation.run'], error: unknown): Promise<void> {
    return this.giveUpGeneration.run(generationId, error);
  }
}
