import type { AuditLog } from '#audit-log';
import type { Exports } from '#export';
import {
  assertNotLastOperator,
  emailOf,
  type Account,
  type AccountStore,
  type Actor,
  type Reauthentication,
} from '#identity';
import { DomainError, invalidField, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { requestErasure } from './domain/erasure.ts';
import type { ErasureStore } from './ports.ts';

/** Requests of erasures: by the person, and by operators. `ErasureRuns` does the rest. */
export class Erasures {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'findByEmail' | 'lock' | 'lockOperators'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly erasures: Pick<ErasureStore, 'lockSurroundings' | 'lockBelongings' | 'request'>;
      readonly exports: Pick<Exports, 'removeAll'>;
      readonly reauthentication: Reauthentication;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
      /** True if the service has an ADMIN_TOKEN, which works without an operator. */
      readonly hasAdminToken: boolean;
    },
  ) {}

  /**
   * Erases the caller.
   *
   * @param request.email the address of the account, typed again
   * @param request.password `null` for an account without one, whose session must be at most ten minutes old
   * @throws DomainError `validation_failed`, `forbidden`; `transfer_ownership_first`; `conflict` for the last operator, and
   * when the address or the password has just been changed; `unauthenticated` when another request has just erased the
   * caller
   */
  async request(actor: Actor, request: { readonly email: string; readonly password: string | null }): Promise<void> {
    const email = emailOf(request.email);
    const account = await this.deps.reauthentication.require(actor, request.password);
    if (email !== account.email) throw invalidField('email', 'is not the address of this account');
    await this.#start(account, { mayBeLastOperator: this.deps.hasAdminToken });
  }

  /** Erases a user as an operator. @throws DomainError `not_found`; `transfer_ownership_first` */
  async requestAsOperator(email: string): Promise<void> {
    const account = await this.deps.accounts.findByEmail(emailOf(email));
    if (!account) throw notFound('user');
    await this.#start(account, { mayBeLastOperator: true });
  }

  async #start(
    { id: userId, email, passwordHash, isOperator }: Account,
    { mayBeLastOperator }: { readonly mayBeLastOperator: boolean },
  ): Promise<void> {
    const { accounts, auditLog, erasures, exports, jobs, unitOfWork, clock } = this.deps;
    await unitOfWork.run(async () => {
      await erasures.lockSurroundings(userId, email);
      if (isOperator) assertNotLastOperator(await accounts.lockOperators(), userId, mayBeLastOperator);
      const belongings = await erasures.lockBelongings(userId);
      const account = await accounts.lock(userId);
      if (!account) throw new DomainError('unauthenticated', 'the account is gone');
      if (account.email !== email || account.passwordHash !== passwordHash) {
        throw new DomainError('conflict', 'the account has just been changed: try again');
      }
      const { erasure, leftIds } = requestErasure(userId, belongings, clock.now());
      // Before tokens end: the entry says by which the caller came.
      await auditLog.record({ action: 'account.erase', target: userId, details: {} });
      await exports.removeAll(userId);
      await erasures.request(erasure, email, leftIds);
      await jobs.announce({ name: 'account.erase', payload: { userId }, workspaceId: null });
      if (account.avatarFileId === null) return;
      // It may be a file of a team.
      await jobs.announce({ name: 'files.erase', payload: { fileIds: [account.avatarFileId] }, workspaceId: null });
    });
  }
}
