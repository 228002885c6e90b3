import type { AuditLog } from '#audit-log';
import type { Actor } from '#identity';
import { announceDeletion, deletionBy } from '#files';
import { notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { nameOf, type Board, type Deleted } from './domain/board.ts';
import type { BoardStore } from './ports.ts';

export class Boards {
  constructor(
    private readonly boards: BoardStore,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    /** Days that a deleted board stays in the trash. */
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
   * Deletes the board with everything on it.
   *
   * @throws DomainError `not_found`
   */
  delete(actor: Actor, boardId: number): Promise<Deleted> {
    return this.unitOfWork.run(async () => {
      const deletion = deletionBy(actor.userId, this.clock.now(), this.graceDays);
      const result = await this.boards.delete(actor.workspaceId, boardId, deletion);
      if (!result) throw notFound('board');
      await announceDeletion(this.jobs, actor.workspaceId, [result.entryId]);
      await this.auditLog.record({ action: 'board.delete', target: boardId, details: {} });
      return result.deleted;
    });
  }
}
