import type { Clock, JobPayloads, JobRun, Jobs, UnitOfWork } from '#kernel';
import type { DiscardedFiles } from '../ports/discarded-files.ts';
import type { DeleteDiscardedObjects } from './delete-discarded-objects.ts';

const TRY_AGAIN_SECONDS = 5;

/** Deletes those of some files that nothing needs any more. */
export class ReclaimFiles {
  readonly #discarded: DiscardedFiles;
  readonly #deleteObjects: Pick<DeleteDiscardedObjects, 'run'>;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    discarded: DiscardedFiles,
    deleteObjects: Pick<DeleteDiscardedObjects, 'run'>,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#discarded = discarded;
    this.#deleteObjects = deleteObjects;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `unavailable` */
  async run({ fileIds }: JobPayloads['files.reclaim'], { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    await this.#unitOfWork.run(async () => {
      const held = await this.#discarded.discardUnneeded(fileIds, this.#clock.now());
      if (held.length === 0) return;
      // Whoever holds a file may be about to refer to it, or about to fail.
      const job = { name: 'files.reclaim', payload: { fileIds: held } } as const;
      await this.#jobs.announce(job, { delaySeconds: TRY_AGAIN_SECONDS });
    });
    await this.#deleteObjects.run(signal);
  }
}
