import { scheduleFileDeletion } from '#files';
import { notFound, type Jobs, type UnitOfWork } from '#kernel';
import type { Actor } from '#identity';
import type { MediaItems } from '../ports/media-items.ts';

export class DeleteMedia {
  readonly #media: MediaItems;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;

  constructor(media: MediaItems, jobs: Jobs, unitOfWork: UnitOfWork) {
    this.#media = media;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
  }

  /**
   * @returns the ids that were on the board, deleted
   * @throws DomainError `not_found` (board)
   */
  run(actor: Actor, boardId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    return this.#unitOfWork.run(async () => {
      const removed = await this.#media.remove(actor.workspaceId, boardId, ids);
      if (!removed) throw notFound('board');
      await scheduleFileDeletion(this.#jobs, removed.fileIds);
      return new Set(removed.ids);
    });
  }
}
