import type { AuditLog } from '#audit-log';
import type { AccountStore, Actor } from '#identity';
import { DomainError, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { expire, isUnderWay, seenAt, type Export, type ReadyExport } from './domain/export.ts';
import type { ExportStore } from './ports.ts';

/** Exports that one unit of work ends. */
const GROUP_SIZE = 100;

type Caller = Pick<Actor, 'userId' | 'workspaceId'>;

/** The exports of a person's own data. */
export class Exports {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'lock'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly exports: ExportStore;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Starts an export, in place of a ready one, whose zip is deleted. Returns the export under way if there is one.
   *
   * @throws DomainError `unauthenticated` when the caller has just been erased
   */
  request({ userId, workspaceId }: Caller): Promise<Export> {
    const { accounts, auditLog, exports, jobs, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      // An erasure holds this lock while it deletes the exports.
      if (!(await accounts.lock(userId))) throw new DomainError('unauthenticated', 'the account is gone');
      const existing = await exports.list(userId);
      const underWay = existing.find(isUnderWay);
      if (underWay) return underWay;
      for (const each of existing) if (each.state === 'ready') await this.#expire(each);
      const queued = await exports.add(userId, clock.now());
      await auditLog.record({ action: 'account.export', target: userId, details: {} });
      await jobs.announce({ name: 'export.run', payload: { exportId: queued.id }, workspaceId });
      return queued;
    });
  }

  /** The caller's exports, newest first. */
  async list({ userId }: Pick<Actor, 'userId'>): Promise<readonly Export[]> {
    const now = this.deps.clock.now();
    return (await this.deps.exports.list(userId)).map((each) => seenAt(now, each));
  }

  /** @throws DomainError `not_found`, also for an export of another user */
  async find(actor: Pick<Actor, 'userId'>, exportId: number): Promise<Export> {
    const found = (await this.list(actor)).find(({ id }) => id === exportId);
    if (!found) throw notFound('export');
    return found;
  }

  /** @throws DomainError `not_found`; `file_expired` after its time; `conflict` when it has no zip */
  async findReady(actor: Pick<Actor, 'userId'>, exportId: number): Promise<ReadyExport> {
    const found = await this.find(actor, exportId);
    if (found.state === 'ready') return found;
    if (found.state === 'expired') throw new DomainError('file_expired', 'the export has expired: start another');
    const message = found.state === 'failed' ? 'the export failed: start another' : 'the export is not ready yet';
    throw new DomainError('conflict', message);
  }

  /**
   * Deletes all exports of a user with their zips, in the surrounding unit of work. A run that is under way stops, and
   * its zip is deleted.
   */
  async removeAll(userId: number): Promise<void> {
    const { exports, clock } = this.deps;
    for (const each of await exports.removeAll(userId)) {
      // The zip of a running export is discarded already: its run may still write it.
      if (each.state === 'ready') await exports.discard(each.key, clock.now());
    }
  }

  /** Ends the exports whose time is over. @returns their number */
  async sweep(signal: AbortSignal): Promise<number> {
    const { exports, unitOfWork, clock } = this.deps;
    let all = 0;
    for (let ended = GROUP_SIZE; ended === GROUP_SIZE; all += ended) {
      signal.throwIfAborted();
      ended = await unitOfWork.run(async () => {
        const expired = await exports.lockExpired(clock.now(), GROUP_SIZE);
        for (const each of expired) await this.#expire(each);
        return expired.length;
      });
    }
    return all;
  }

  async #expire(ready: ReadyExport): Promise<void> {
    const now = this.deps.clock.now();
    await this.deps.exports.save(expire(ready, now));
    await this.deps.exports.discard(ready.key, now);
  }
}
