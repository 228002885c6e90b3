import { forgottenAt } from './domain/upload.ts';
import { inBatches, type FileDeletion, type FileDeletionParts } from './file-deletion.ts';

/** What a sweep did. */
export interface SweepReport {
  /** Temporary files that expired. */
  readonly expired: number;
  /** Objects deleted that belong to no file. */
  readonly deleted: number;
  /** Uploads that were cleaned up. */
  readonly uploads: number;
  /** Objects deleted of interrupted finalizing. */
  readonly abandoned: number;
}

/** No call of finalize works on frozen bytes that are older. */
const FREEZING_SECONDS = 3_600;

/** Deletes what is due. Sweeps may run concurrently; what a crash leaves behind, the next sweep finds. */
export class FileSweep {
  constructor(private readonly to: Omit<FileDeletionParts, 'jobs'> & { readonly deletion: FileDeletion }) {}

  /** @throws DomainError `unavailable`; the reason of `signal` when that is aborted */
  async run(signal?: AbortSignal): Promise<SweepReport> {
    const { discarded, unitOfWork, clock, batchSize } = this.to;
    const now = clock.now();
    const each = (step: (limit: number) => Promise<number>): Promise<number> =>
      inBatches(batchSize, signal, (limit) => unitOfWork.run(() => step(limit)));

    // Before files expire: an expired upload is taken next when it is forgotten, which may be late.
    const uploads = await each((limit) => this.#cleanUpUploads(now, limit));
    const { expired, deleted } = await this.#expire(now, signal);
    await each((limit) => discarded.reviewAdded(now, limit));
    const deletedAfter = await this.to.deletion.deleteObjects(signal);
    const abandoned = await this.#deleteFrozen(new Date(now.getTime() - FREEZING_SECONDS * 1000), signal);
    return { expired, deleted: deleted + deletedAfter, uploads, abandoned };
  }

  /** While the database discards a batch, the storage deletes the previous one. */
  async #expire(now: Date, signal: AbortSignal | undefined): Promise<{ expired: number; deleted: number }> {
    const { discarded, unitOfWork, batchSize } = this.to;
    let previous = 0;
    let deleted = 0;
    const expired = await inBatches(batchSize, signal, async (limit) => {
      const work = [
        unitOfWork.run(() => discarded.discardExpired(now, forgottenAt(now), limit)),
        previous > 0 ? this.to.deletion.deleteObjects(signal, 1) : Promise.resolve(0),
      ] as const;
      // When one fails, the other must have ended too.
      await Promise.allSettled(work);
      const [discardedNow, deletedNow] = await Promise.all(work);
      deleted += deletedNow;
      return (previous = discardedNow);
    });
    return { expired, deleted };
  }

  async #cleanUpUploads(now: Date, limit: number): Promise<number> {
    const uploads = await this.to.uploads.take({ dueBy: now }, limit);
    if (uploads.length === 0) return 0;
    await this.to.deletion.deleteLeftovers(uploads);
    await this.to.uploads.settle(uploads.map((upload) => upload.id));
    return uploads.length;
  }

  async #deleteFrozen(before: Date, signal: AbortSignal | undefined): Promise<number> {
    let all = 0;
    for await (const objects of this.to.storage.list('frozen/')) {
      signal?.throwIfAborted();
      const old = objects.filter((object) => object.modifiedAt < before);
      await this.to.storage.delete(old.map((object) => object.key));
      all += old.length;
    }
    return all;
  }
}
