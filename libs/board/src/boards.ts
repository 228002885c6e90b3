import type { Actor } from '#identity';
import { removalBy, scheduleFileDeletion } from '#files';
import { notFound, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { nameOf, type Board, type Deleted } from './domain/board.ts';
import type { BoardStore } from './ports.ts';

/** Media deleted in one transaction. */
const PURGE_BATCH = 1000;

export class Boards {
  constructor(
    private readonly boards: BoardStore,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    /** How many days what is deleted stays in the trash. */
    private readonly graceDays = 0,
  ) {}

  /** @throws DomainError `validation_failed` */
  create(actor: Actor, name: string): Promise<Board> {
    const { workspaceId, userId } = actor;
    const board = { workspaceId, createdBy: userId, name: nameOf(name), createdAt: this.clock.now() };
    return this.unitOfWork.run(() => this.boards.add(board));
  }

  /** @throws DomainError `not_found`, `validation_failed` */
  async rename(actor: Actor, boardId: number, change: { readonly name?: string }): Promise<Board> {
    const name = change.name === undefined ? undefined : nameOf(change.name);
    const board = await this.unitOfWork.run(() => this.boards.update(actor.workspaceId, boardId, { name }));
    if (!board) throw notFound('board');
    return board;
  }

  /**
   * Hides the board at once; a job moves it with everything on it to the trash.
   *
   * @throws DomainError `not_found`
   */
  delete(actor: Actor, boardId: number): Promise<Deleted> {
    return this.unitOfWork.run(async () => {
      const removal = removalBy(actor.userId, this.clock.now(), this.graceDays);
      const deleted = await this.boards.remove(actor.workspaceId, boardId, removal);
      if (!deleted) throw notFound('board');
      await this.jobs.announce({ name: 'board.purge', payload: { boardId }, workspaceId: actor.workspaceId });
      return deleted;
    });
  }

  /** Deletes what is left of a removed board, in batches; an interrupted run is continued by the next one. */
  async purge(boardId: number, run: JobRun): Promise<void> {
    for (let done = false; !done;) {
      run.signal.throwIfAborted();
      done = await this.unitOfWork.run(async () => {
        const purged = await this.boards.purge(boardId, PURGE_BATCH);
        await scheduleFileDeletion(this.jobs, run.workspaceId, purged.fileIds);
        return purged.done;
      });
    }
  }
}
