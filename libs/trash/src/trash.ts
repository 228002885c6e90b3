import type { AuditLog } from '#audit-log';
import { isTooDeep, MAX_DEPTH, type FolderStore } from '#board';
import { announceDeletion } from '#files';
import type { Actor } from '#identity';
import { DomainError, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { Restored, TrashEntry, TrashStore } from './ports.ts';

/** Files restored by one job. */
const FILES_PER_JOB = 1000;

/** Restores deleted items, or erases them. */
export class Trash {
  constructor(
    private readonly deps: {
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly trash: TrashStore;
      readonly folders: FolderStore;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Restores a deleted item; a job restores the bytes of its files.
   *
   * @throws DomainError `not_found`; `conflict` when its board or folder is deleted
   */
  restore({ workspaceId }: Pick<Actor, 'workspaceId'>, entryId: number): Promise<TrashEntry> {
    return this.deps.unitOfWork.run(async () => {
      const entry = await this.#locked(workspaceId, entryId);
      await this.#requireParents(workspaceId, entry);
      const restored = await this.deps.trash.restore(entry, this.deps.clock.now());
      if (entry.kind === 'folder') await this.#checkDepth(entry, restored.parentId);
      await this.#announce(workspaceId, restored);
      await this.deps.auditLog.record({ action: `${entry.kind}.restore`, target: entry.itemId, details: {} });
      return entry;
    });
  }

  /**
   * Purges a deleted item at once, and the bytes of its files without a grace period.
   *
   * @throws DomainError `not_found`
   */
  async erase({ workspaceId }: Pick<Actor, 'workspaceId'>, entryId: number): Promise<void> {
    const { auditLog, trash, jobs, unitOfWork, clock } = this.deps;
    await unitOfWork.run(async () => {
      const entry = await this.#locked(workspaceId, entryId);
      await trash.expire(entry, clock.now());
      await auditLog.record({ action: `${entry.kind}.erase`, target: entry.itemId, details: {} });
      await announceDeletion(jobs, workspaceId, [entryId]);
    });
  }

  async #locked(workspaceId: number, entryId: number): Promise<TrashEntry> {
    const entry = await this.deps.trash.lock(workspaceId, entryId, this.deps.clock.now());
    if (!entry) throw notFound('trash entry');
    return entry;
  }

  async #requireParents(workspaceId: number, entry: TrashEntry): Promise<void> {
    if (entry.boardId === null) return;
    if (!(await this.deps.folders.lock(workspaceId, entry.boardId))) {
      throw new DomainError('conflict', 'its board is deleted: restore the board first');
    }
    if (await this.deps.trash.isFolderDeleted(entry)) {
      throw new DomainError('conflict', 'its folder is deleted: restore the folder first');
    }
  }

  /** The parent may have moved deeper since the deletion. */
  async #checkDepth({ boardId, itemId }: TrashEntry, parentId: number | null): Promise<void> {
    const survey = await this.deps.folders.survey(boardId!, parentId, itemId);
    if ('missing' in survey || !isTooDeep(survey)) return;
    throw new DomainError('conflict', `folders nest at most ${MAX_DEPTH} deep: move its parent folder up first`);
  }

  async #announce(workspaceId: number, { keys, media, trainings }: Restored): Promise<void> {
    const { jobs } = this.deps;
    for (let start = 0; start < keys.length; start += FILES_PER_JOB) {
      const group = keys.slice(start, start + FILES_PER_JOB);
      await jobs.announce({ name: 'files.restore', payload: { keys: group }, workspaceId });
    }
    for (const { id: mediaId, revision } of media) {
      await jobs.announce({ name: 'media.process', payload: { mediaId, revision }, workspaceId });
    }
    for (const { id: trainingId, pictureVersion } of trainings) {
      await jobs.announce({ name: 'training.process', payload: { trainingId, pictureVersion }, workspaceId });
    }
  }
}
