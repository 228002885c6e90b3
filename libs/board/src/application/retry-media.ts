import { DomainError, notFound, type Jobs, type UnitOfWork } from '#kernel';
import type { Actor } from '#identity';
import type { MediaItems, MediaJson } from '../ports/media-items.ts';

/** Processes a failed media once more. */
export class RetryMedia {
  readonly #media: MediaItems;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(media: MediaItems, jobs: Jobs, unitOfWork: UnitOfWork) {
    this.#media = media;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /** @throws DomainError `not_found`, `conflict` when the media has not failed */
  run(actor: Actor, boardId: number, mediaId: number): Promise<MediaJson> {
    return this.#unitOfWork.run(async () => {
      const retried = await this.#media.retry(actor.workspaceId, boardId, mediaId);
      if (retried === 'not_found') throw notFound('media');
      if (retried === 'conflict') throw new DomainError('conflict', 'only a failed media can be retried');
      const payload = { mediaId, revision: retried.revision };
      await this.#jobs.announce({ name: 'media.process', payload });
      return retried.json;
    });
  }
}
