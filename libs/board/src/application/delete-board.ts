import { notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { Actor } from '#identity';
import type { Deleted } from '../domain/board.ts';
import type { Boards } from '../ports/boards.ts';

/** A board is gone at once for everybody; what was on it is taken away by a job. */
export class DeleteBoard {
  readonly #boards: Boards;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(boards: Boards, jobs: Jobs, unitOfWork: UnitOfWork, clock: Clock) {
    this.#boards = boards;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `not_found` */
  run(actor: Actor, boardId: number): Promise<Deleted> {
    return this.#unitOfWork.run(async () => {
      const deleted = await this.#boards.remove(actor.workspaceId, boardId, this.#clock.now());
      if (!deleted) throw notFound('board');
      await this.#jobs.announce({ name: 'board.purge', payload: { boardId } });
      return deleted;
    });
  }
}
