import type { AuditLog } from '#audit-log';
import { announceDeletion, deletionBy } from '#files';
import type { Actor } from '#identity';
import { notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { assertMayDelete, mayDelete, type DeletableItem } from './domain/deletion.ts';
import type { LibraryDeletions } from './ports.ts';

/** Maximum number of items that one call deletes. */
export const MAX_DELETED = 500;

export interface DeletedItems {
  readonly fileIds: readonly number[];
  /** The entry of the trash that restores them; null when none was deleted. */
  readonly entryId: number | null;
}

/** Deletes items: one call makes one entry of the trash. */
export class LibraryDeletion {
  constructor(
    private readonly deps: {
      readonly deletions: LibraryDeletions;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      readonly auditLog: Pick<AuditLog, 'record'>;
      /** Days that deleted items stay in the trash. */
      readonly graceDays: number;
    },
  ) {}

  /** @throws DomainError `not_found`, `forbidden` */
  delete(actor: Actor, fileId: number): Promise<DeletedItems> {
    return this.deps.unitOfWork.run(async () => {
      const items = await this.deps.deletions.lock(actor.workspaceId, [fileId]);
      if (items.length === 0) throw notFound('item');
      for (const item of items) assertMayDelete(actor, item);
      return this.#delete(actor, items);
    });
  }

  /** Leaves out ids of no item of the workspace, and of items that the caller may not delete. */
  deleteMany(actor: Actor, fileIds: readonly number[]): Promise<DeletedItems> {
    return this.deps.unitOfWork.run(async () => {
      const items = await this.deps.deletions.lock(actor.workspaceId, [...new Set(fileIds)]);
      return this.#delete(
        actor,
        items.filter((item) => mayDelete(actor, item)),
      );
    });
  }

  async #delete({ workspaceId, userId }: Actor, items: readonly DeletableItem[]): Promise<DeletedItems> {
    const { deletions, jobs, clock, auditLog, graceDays } = this.deps;
    const [first] = items;
    if (!first) return { fileIds: [], entryId: null };
    const entryId = await deletions.delete(workspaceId, items, deletionBy(userId, clock.now(), graceDays));
    const fileIds = items.map((item) => item.fileId);
    await announceDeletion(jobs, workspaceId, [entryId]);
    await auditLog.record({ action: 'item.delete', target: first.fileId, details: { items: fileIds } });
    return { fileIds, entryId };
  }
}
