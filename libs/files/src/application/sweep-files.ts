import type { Clock, UnitOfWork } from '#kernel';
import { forgottenAt } from '../domain/upload.ts';
import type { DiscardedFiles } from '../ports/discarded-files.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import type { Uploads } from '../ports/uploads.ts';
import type { DeleteDiscardedObjects } from './delete-discarded-objects.ts';
import { deleteLeftovers } from './delete-leftovers.ts';
import { inBatches } from './in-batches.ts';

/** What a sweep did. */
export interface SweepReport {
  /** Temporary files whose time was over. */
  readonly expired: number;
  /** Objects deleted of files that are gone, for whatever reason, or never came to be. */
  readonly deleted: number;
  /** Uploads that were cleaned up after. */
  readonly uploads: number;
  /** Objects deleted of finalizing that was broken off. */
  readonly abandoned: number;
}

/** Nobody looks at frozen bytes for so long: who froze them was broken off. */
const FREEZING_SECONDS = 3_600;

/**
 * Deletes what is due. Several may sweep at once, and a crash at any point leaves nothing that the next sweep does
 * not find.
 */
export class SweepFiles {
  readonly #discarded: DiscardedFiles;
  readonly #uploads: Uploads;
  readonly #storage: ObjectStorage;
  readonly #deleteObjects: Pick<DeleteDiscardedObjects, 'run'>;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(
    discarded: DiscardedFiles,
    uploads: Uploads,
    storage: ObjectStorage,
    deleteObjects: Pick<DeleteDiscardedObjects, 'run'>,
    unitOfWork: UnitOfWork,
    clock: Clock,
  ) {
    this.#discarded = discarded;
    this.#uploads = uploads;
    this.#storage = storage;
    this.#deleteObjects = deleteObjects;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `unavailable`; the reason of `signal` when that is aborted */
  async run(signal?: AbortSignal): Promise<SweepReport> {
    const now = this.#clock.now();
    const each = (step: (limit: number) => Promise<number>): Promise<number> =>
      inBatches(signal, (limit) => this.#unitOfWork.run(() => step(limit)));

    // Before files expire: an expired upload is looked at next when it is forgotten, which may be late.
    const uploads = await each((limit) => this.#cleanUpUploads(now, limit));
    const { expired, deleted } = await this.#expire(now, signal);
    await each((limit) => this.#discarded.reviewAdded(now, limit));
    const deletedAfter = await this.#deleteObjects.run(signal);
    const abandoned = await this.#deleteFrozen(new Date(now.getTime() - FREEZING_SECONDS * 1000), signal);
    return { expired, deleted: deleted + deletedAfter, uploads, abandoned };
  }

  /** While the database discards a batch, the storage deletes what the one before discarded. */
  async #expire(now: Date, signal: AbortSignal | undefined): Promise<{ expired: number; deleted: number }> {
    let before = 0;
    let deleted = 0;
    const expired = await inBatches(signal, async (limit) => {
      const [discarded, deletedMeanwhile] = await both(
        this.#unitOfWork.run(() => this.#discarded.discardExpired(now, forgottenAt(now), limit)),
        before > 0 ? this.#deleteObjects.run(signal, 1) : Promise.resolve(0),
      );
      deleted += deletedMeanwhile;
      return (before = discarded);
    });
    return { expired, deleted };
  }

  async #cleanUpUploads(now: Date, limit: number): Promise<number> {
    const uploads = await this.#uploads.takeDue(now, limit);
    if (uploads.length === 0) return 0;
    await deleteLeftovers(this.#storage, uploads);
    await this.#uploads.settle(uploads.map((upload) => upload.id));
    return uploads.length;
  }

  async #deleteFrozen(before: Date, signal: AbortSignal | undefined): Promise<number> {
    let all = 0;
    for await (const objects of this.#storage.list('frozen/')) {
      signal?.throwIfAborted();
      const old = objects.filter((object) => object.modifiedAt < before);
      await this.#storage.delete(old.map((object) => object.key));
      all += old.length;
    }
    return all;
  }
}

/** The results of both; when one fails, the other does not go on unseen. */
async function both<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}
