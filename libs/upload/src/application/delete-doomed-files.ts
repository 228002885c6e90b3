import type { UnitOfWork } from '#kernel';
import type { DiscardedFiles } from '../ports/discarded-files.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import { inBatches } from './in-batches.ts';

/** Deletes the bytes of doomed files, and then their records. */
export class DeleteDoomedFiles {
  readonly #discarded: DiscardedFiles;
  readonly #storage: ObjectStorage;
  readonly #unitOfWork: UnitOfWork;

  constructor(discarded: DiscardedFiles, storage: ObjectStorage, unitOfWork: UnitOfWork) {
    this.#discarded = discarded;
    this.#storage = storage;
    this.#unitOfWork = unitOfWork;
  }

  /**
   * @returns how many were deleted
   * @throws DomainError `unavailable`
   */
  async run(signal?: AbortSignal): Promise<number> {
    return inBatches(signal, (limit) =>
      this.#unitOfWork.run(async () => {
        const doomed = await this.#discarded.takeDoomed(limit);
        await this.#storage.delete(doomed.map((file) => file.key));
        await this.#discarded.remove(doomed.map((file) => file.id));
        return doomed.length;
      }),
    );
  }
}
