import type { AuditLog } from '#audit-log';
import type { EventLog } from '#events';
import { customChangesFor, customDataFor, type Actor } from '#identity';
import { announceDeletion, deletionBy } from '#files';
import { NO_CUSTOM_DATA, notFound, type Clock, type CustomData, type Jobs, type UnitOfWork } from '#kernel';
import { nameOf, type Board, type Deleted } from './domain/board.ts';
import type { BoardChange, BoardStore } from './ports.ts';

export class Boards {
  constructor(
    private readonly boards: BoardStore,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly events: EventLog,
    /** Days that a deleted board stays in the trash. */
    private readonly graceDays = 0,
  ) {}

  /** @throws DomainError `validation_failed`, `forbidden` */
  async create(actor: Actor, name: string, customData: CustomData = NO_CUSTOM_DATA): Promise<Board> {
    const { workspaceId, userId } = actor;
    const createdAt = this.clock.now();
    const given = { name: nameOf(name), ...customDataFor(actor, customData) };
    const board = { ...given, workspaceId, createdBy: userId, createdAt };
    return this.unitOfWork.run(async () => {
      const added = await this.boards.add(board);
      await this.events.record({ workspaceId, type: 'board.created', subjectId: added.id, createdAt });
      return added;
    });
  }

  /** @throws DomainError `not_found`, `validation_failed`, `forbidden` */
  async update(actor: Actor, boardId: number, change: BoardChange): Promise<Board> {
    const name = change.name === undefined ? undefined : nameOf(change.name);
    const changes = { name, ...customChangesFor(actor, change) };
    const board = await this.unitOfWork.run(() => this.boards.update(actor.workspaceId, boardId, changes));
    if (!board) throw notFound('board');
    return board;
  }

  /**
   * Deletes the board with everything on it.
   *
   * @throws DomainError `not_found`
   */
  delete(actor: Actor, boardId: number): Promise<Deleted> {
    const { workspaceId } = actor;
    return this.unitOfWork.run(async () => {
      const createdAt = this.clock.now();
      const deletion = deletionBy(actor.userId, createdAt, this.graceDays);
      const result = await this.boards.delete(workspaceId, boardId, deletion);
      if (!result) throw notFound('board');
      await announceDeletion(this.jobs, workspaceId, [result.entryId]);
      const { name, deleted } = result;
      const facts = { id: boardId, name, folders_count: deleted.folders, media_count: deleted.media };
      await this.events.record({ workspaceId, type: 'board.deleted', subjectId: boardId, createdAt, facts });
      await this.auditLog.record({ action: 'board.delete', target: boardId, details: {} });
      return deleted;
    });
  }
}
