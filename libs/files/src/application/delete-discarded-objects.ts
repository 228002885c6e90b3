import type { Clock, UnitOfWork } from '#kernel';
import type { DiscardedFiles } from '../ports/discarded-files.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import { inBatches } from './in-batches.ts';

/** Deletes the bytes that no file has (any more). */
export class DeleteDiscardedObjects {
  readonly #discarded: DiscardedFiles;
  readonly #storage: ObjectStorage;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(discarded: DiscardedFiles, storage: ObjectStorage, unitOfWork: UnitOfWork, clock: Clock) {
    this.#discarded = discarded;
    this.#storage = storage;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /**
   * @param batches how many at most; usually until none is left
   * @returns how many were deleted
   * @throws DomainError `unavailable`
   */
  async run(signal?: AbortSignal, batches?: number): Promise<number> {
    const step = (limit: number): Promise<number> =>
      this.#unitOfWork.run(async () => {
        const keys = await this.#discarded.takeObjects(this.#clock.now(), limit);
        await this.#storage.delete(keys);
        return keys.length;
      });
    return inBatches(signal, step, batches);
  }
}
