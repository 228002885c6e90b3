import type { AuditLog } from '#audit-log';
import type { Actor } from '#identity';
import { announceDeletion, deletionBy } from '#files';
import { notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { nameOf, type Deleted, type Folder } from './domain/board.ts';
import { checkPlacement } from './domain/folder-tree.ts';
import type { FolderStore } from './ports.ts';

export class Folders {
  constructor(
    private readonly folders: FolderStore,
    private readonly jobs: Jobs,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    /** Days that a deleted folder stays in the trash. */
    private readonly graceDays = 0,
  ) {}

  /** @throws DomainError `not_found` (board or parent), `validation_failed` */
  create(
    actor: Actor,
    boardId: number,
    request: { readonly name: string; readonly parentId: number | null },
  ): Promise<Folder> {
    const { parentId } = request;
    const folder = { boardId, parentId, name: nameOf(request.name), createdAt: this.clock.now() };
    return this.#locked(actor, boardId, async () => {
      // A place at the root depends on no other folder.
      if (parentId !== null) await this.#checkPlace(boardId, parentId, null);
      return this.folders.add(folder);
    });
  }

  /**
   * Renames or moves a folder, or both; undefined fields stay as they are.
   *
   * @throws DomainError `not_found` (board, folder or parent), `folder_cycle`, `validation_failed`
   */
  async update(
    actor: Actor,
    boardId: number,
    folderId: number,
    change: { readonly name?: string; readonly parentId?: number | null },
  ): Promise<Folder> {
    const { parentId } = change;
    const name = change.name === undefined ? undefined : nameOf(change.name);
    return this.#locked(actor, boardId, async () => {
      if (parentId !== undefined) await this.#checkPlace(boardId, parentId, folderId);
      const folder = await this.folders.update(boardId, folderId, { name, parentId });
      if (!folder) throw notFound('folder');
      return folder;
    });
  }

  /** @throws DomainError `not_found` (board or folder) */
  delete(actor: Actor, boardId: number, folderId: number): Promise<Deleted> {
    return this.#locked(actor, boardId, async () => {
      const deletion = deletionBy(actor.userId, this.clock.now(), this.graceDays);
      const result = await this.folders.delete(actor.workspaceId, boardId, folderId, deletion);
      if (!result) throw notFound('folder');
      await announceDeletion(this.jobs, actor.workspaceId, [result.entryId]);
      await this.auditLog.record({ action: 'folder.delete', target: folderId, details: {} });
      return result.deleted;
    });
  }

  #locked<T>(actor: Actor, boardId: number, work: () => Promise<T>): Promise<T> {
    return onLockedBoard(this.folders, this.unitOfWork, actor, boardId, work);
  }

  async #checkPlace(boardId: number, parentId: number | null, folderId: number | null): Promise<void> {
    const survey = await this.folders.survey(boardId, parentId, folderId);
    if ('missing' in survey) throw notFound(survey.missing === 'parent' ? 'parent folder' : 'folder');
    checkPlacement({ ...survey, folderId });
  }
}

/** @throws DomainError `not_found` */
export function onLockedBoard<T>(
  folders: Pick<FolderStore, 'lock'>,
  unitOfWork: UnitOfWork,
  { workspaceId }: Actor,
  boardId: number,
  work: () => Promise<T>,
): Promise<T> {
  return unitOfWork.run(async () => {
    if (!(await folders.lock(workspaceId, boardId))) throw notFound('board');
    return work();
  });
}
