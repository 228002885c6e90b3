import type { AuditLog } from '#audit-log';
import type { Exports } from '#export';
import {
  assertNotLastOperator,
  emailOf,
  type Account,
  type AccountStore,
  type Actor,
  type Reauthentication,
  type TeamStore,
} from '#identity';
import { DomainError, invalidField, notFound, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import type { MemberStore } from '#team';
import { requestErasure } from './domain/erasure.ts';
import type { ErasureStore } from './ports.ts';

/** Requests of erasures: by the person, and by operators. `ErasureRuns` does the rest. */
export class Erasures {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'find' | 'findByEmail' | 'lock' | 'lockOperators' | 'openService'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly erasures: Pick<
        ErasureStore,
        'lockTeam' | 'endMemberships' | 'lockSurroundings' | 'lockBelongings' | 'request'
      >;
      readonly members: Pick<MemberStore, 'transferOwnership'>;
      readonly teams: Pick<TeamStore, 'join'>;
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

  /**
   * Erases a user as an operator. A service account is erased with its workspace alone.
   *
   * @throws DomainError `not_found`; `transfer_ownership_first`; `conflict` for the last operator, unless
   * `mayBeLastOperator`, and when the account has just been changed
   */
  async requestAsOperator(
    userId: number,
    { mayBeLastOperator = this.deps.hasAdminToken }: { readonly mayBeLastOperator?: boolean } = {},
  ): Promise<void> {
    const user = await this.deps.accounts.find(userId);
    const account = user && (await this.deps.accounts.findByEmail(user.email));
    if (!account) throw notFound('user');
    await this.#start(account, { mayBeLastOperator });
  }

  /**
   * Erases a team's workspace with everything in it, for an operator. Its members act in their personal workspaces at once.
   * A service account owns it until the end, and is erased with it as a person is. A second call has no effect.
   *
   * @throws DomainError `not_found`; `conflict` for a personal workspace
   */
  async requestOfWorkspace(workspaceId: number): Promise<void> {
    const { accounts, auditLog, erasures, members, teams, unitOfWork, clock } = this.deps;
    await unitOfWork.run(async () => {
      const workspace = await erasures.lockTeam(workspaceId);
      if (!workspace) throw notFound('workspace');
      if (!workspace.isTeam) throw new DomainError('conflict', 'a personal workspace is deleted with its user');
      if (workspace.isErased) return;
      let { ownerId } = workspace;
      if (!workspace.isOwnerService) {
        const [heirId, joinedAt] = [await accounts.openService(clock.now()), clock.now()];
        await teams.join({ workspaceId, userId: heirId, role: 'admin', addedBy: null, joinedAt });
        await members.transferOwnership(workspaceId, ownerId, heirId);
        ownerId = heirId;
      }
      await erasures.endMemberships(workspaceId, ownerId);
      await auditLog.record({ action: 'workspace.erase', target: workspaceId, details: {}, workspaceId });
      await this.#start((await accounts.lock(ownerId))!, { mayBeLastOperator: true });
    });
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
