import type { Jobs, UnitOfWork } from '#kernel';
import type { MediaItems } from '../ports/media-items.ts';

const BATCH = 500;

/** Processes the failed media of all boards once more, such as after an outage of what they came from. */
export class RetryFailedMedia {
  readonly #media: MediaItems;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(media: MediaItems, jobs: Jobs, unitOfWork: UnitOfWork) {
    this.#media = media;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /**
   * @param error only those that failed with this code; `null` for all
   * @returns how many are tried again
   */
  async run(error: string | null): Promise<number> {
    let count = 0;
    for (let after: number | null = 0; after !== null;) {
      const { retried, next } = await this.#retry(error, after);
      count += retried.length;
      after = next;
    }
    return count;
  }

  #retry(error: string | null, after: number): ReturnType<MediaItems['retryFailed']> {
    return this.#unitOfWork.run(async () => {
      const batch = await this.#media.retryFailed({ error, after, limit: BATCH });
      for (const { id, revision } of batch.retried) {
        const payload = { mediaId: id, revision };
        await this.#jobs.announce({ name: 'media.process', payload }, { bulk: true });
      }
      return batch;
    });
  }
}
