import type { Clock, JobPayloads, JobRun, Jobs, UnitOfWork } from '#kernel';
import type { DiscardedFiles } from '../ports/discarded-files.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import type { Uploads } from '../ports/uploads.ts';
import type { DeleteDiscardedObjects } from './delete-discarded-objects.ts';
import { deleteLeftovers } from './delete-leftovers.ts';
import { inBatches } from './in-batches.ts';

const TRY_AGAIN_SECONDS = 5;

/** Deletes what a deleted persona leaves behind: its files, its uploads, and at last its record. */
export class PurgePersona {
  readonly #discarded: DiscardedFiles;
  readonly #uploads: Uploads;
  readonly #storage: ObjectStorage;
  readonly #deleteObjects: Pick<DeleteDiscardedObjects, 'run'>;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    discarded: DiscardedFiles,
    uploads: Uploads,
    storage: ObjectStorage,
    deleteObjects: Pick<DeleteDiscardedObjects, 'run'>,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#discarded = discarded;
    this.#uploads = uploads;
    this.#storage = storage;
    this.#deleteObjects = deleteObjects;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `unavailable` */
  async run({ personaId }: JobPayloads['persona.purge'], { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    await inBatches(signal, (limit) =>
      this.#unitOfWork.run(() => this.#discarded.partFromPersona(personaId, this.#clock.now(), limit)),
    );
    await this.#deleteObjects.run(signal);
    await inBatches(signal, (limit) => this.#unitOfWork.run(() => this.#dropUploads(personaId, limit)));
    await this.#unitOfWork.run(async () => {
      if (await this.#discarded.removePersona(personaId)) return;
      // Something of it was held by others.
      const job = { name: 'persona.purge', payload: { personaId } } as const;
      await this.#jobs.announce(job, { delaySeconds: TRY_AGAIN_SECONDS });
    });
  }

  async #dropUploads(personaId: number, limit: number): Promise<number> {
    const uploads = await this.#uploads.takeOfPersona(personaId, limit);
    await deleteLeftovers(this.#storage, uploads);
    await this.#uploads.drop(uploads.map((upload) => upload.id));
    return uploads.length;
  }
}
