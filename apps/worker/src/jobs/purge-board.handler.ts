import { Inject, Injectable } from '@nestjs/common';
import type { JobPayloads, JobRun, Jobs } from '#kernel';
import type { JobHandler } from '#adapters/queue';
import { PurgeBoard } from '#board';
import { jobs } from '#wiring';

const TRY_AGAIN_SECONDS = 600;

@Injectable()
export class PurgeBoardHandler implements JobHandler<'board.purge'> {
  readonly name = 'board.purge';

  constructor(
    @Inject(PurgeBoard) private readonly purgeBoard: PurgeBoard,
    @Inject(jobs) private readonly jobs: Jobs,
  ) {}

  run({ boardId }: JobPayloads['board.purge'], run: JobRun): Promise<void> {
    return this.purgeBoard.run(boardId, run);
  }

  /** Nobody waits for it, but nothing may be left behind either: it starts anew after a while. */
  giveUp(payload: JobPayloads['board.purge']): Promise<void> {
    return this.jobs.announce({ name: 'board.purge', payload }, { delaySeconds: TRY_AGAIN_SECONDS });
  }
}
