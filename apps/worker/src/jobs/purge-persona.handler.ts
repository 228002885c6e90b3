import { Inject, Injectable } from '@nestjs/common';
import type { JobPayloads, JobRun, Jobs } from '#kernel';
import type { JobHandler } from '#adapters/queue';
import { PurgePersona } from '#files';
import { jobs } from '#wiring';

const TRY_AGAIN_SECONDS = 600;

@Injectable()
export class PurgePersonaHandler implements JobHandler<'persona.purge'> {
  readonly name = 'persona.purge';

  constructor(
    @Inject(PurgePersona) private readonly purgePersona: PurgePersona,
    @Inject(jobs) private readonly jobs: Jobs,
  ) {}

  run(payload: JobPayloads['persona.purge'], run: JobRun): Promise<void> {
    return this.purgePersona.run(payload, run);
  }

  /** Nobody waits for it, but nothing may be left behind either: it starts anew after a while. */
  giveUp(payload: JobPayloads['persona.purge']): Promise<void> {
    return this.jobs.announce({ name: 'persona.purge', payload }, { delaySeconds: TRY_AGAIN_SECONDS });
  }
}
