import { Inject, Injectable } from '@nestjs/common';
import type { JobPayloads, JobRun } from '#kernel';
import type { JobHandler } from '#adapters/queue';
import { FailMedia, ProcessMedia } from '#board';

@Injectable()
export class ProcessMediaHandler implements JobHandler<'media.process'> {
  readonly name = 'media.process';

  constructor(
    @Inject(ProcessMedia) private readonly processMedia: ProcessMedia,
    @Inject(FailMedia) private readonly failMedia: FailMedia,
  ) {}

  run({ mediaId, revision }: JobPayloads['media.process'], run: JobRun): Promise<void> {
    return this.processMedia.run(mediaId, revision, run);
  }

  giveUp({ mediaId, revision }: JobPayloads['media.process'], error: unknown): Promise<void> {
    return this.failMedia.run(mediaId, revision, error);
  }
}
