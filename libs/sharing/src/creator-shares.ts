import type { AuditLog } from '#audit-log';
import type { ShareStore } from './ports.ts';

/** The links that a user has made, in all workspaces. */
export class CreatorShares {
  constructor(
    private readonly shares: Pick<ShareStore, 'lockOf' | 'delete'>,
    private readonly auditLog: Pick<AuditLog, 'record'>,
  ) {}

  /** Ends them, in the surrounding unit of work. */
  async end(userId: number): Promise<void> {
    for (const { id, workspaceId } of await this.shares.lockOf(userId)) {
      await this.auditLog.record({ action: 'share.delete', target: id, details: {}, userId, workspaceId });
      await this.shares.delete(id);
    }
  }
}
