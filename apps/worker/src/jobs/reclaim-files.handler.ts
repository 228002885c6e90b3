import { Inject, Injectable } from '@nestjs/common';
import type { JobPayloads, JobRun, Jobs } from '#kernel';
import type { JobHandler } from '#adapters/queue';
import { ReclaimFiles } from '#files';
import { jobs } from '#wiring';

const TRY_AGAIN_SECONDS = 600;

@Injectable()
export class ReclaimFilesHandler implements JobHandler<'files.reclaim'> {
  readonly name = 'files.reclaim';

  constructor(
    @Inject(ReclaimFiles) private readonly reclaimFiles: ReclaimFiles,
    @Inject(jobs) private readonly jobs: Jobs,
  ) {}

  run(payload: JobPayloads['files.reclaim'], run: JobRun): Promise<void> {
    return this.reclaimFiles.run(payload, run);
  }

  /** Nobody waits for it, but nothing may be left behind either: it starts anew after a while. */
  giveUp(payload: JobPayloads['files.reclaim']): Promise<void> {
    return this.jobs.announce({ name: 'files.reclaim', payload }, { delaySeconds: TRY_AGAIN_SECONDS });
  }
}
