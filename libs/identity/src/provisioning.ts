import type { AuditLog } from '#audit-log';
import { DomainError, notFound, type Clock, type UnitOfWork } from '#kernel';
import type { Accounts } from './accounts.ts';
import type { ApiTokens } from './api-tokens.ts';
import { emailOf } from './domain/email.ts';
import { nameOf } from './domain/name.ts';
import type { IssuedToken } from './domain/token.ts';
import type { AccountStore, Directory, DirectoryUser, DirectoryWorkspace } from './ports.ts';
import type { Teams } from './teams.ts';

/** The result of a request that may be repeated: made by it, or found. */
export interface Provisioned<T> {
  readonly found: T;
  readonly isNew: boolean;
}

const FIRST = { limit: 1, after: null };

/** Workspaces and users that an application of the operator opens. Its names for them (`externalId`) make repeats safe. */
export class Provisioning {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<Accounts, 'open'>;
      readonly apiTokens: Pick<ApiTokens, 'createAsOperator'>;
      readonly store: Pick<AccountStore, 'findByEmail' | 'lock' | 'openService' | 'update'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly directory: Directory;
      readonly teams: Pick<Teams, 'open'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Opens a workspace that others may join. Of several concurrent calls with one external id, one opens it.
   *
   * @param request.email of the owner, whose account is opened if there is none; `null` for a service account
   * @throws DomainError `validation_failed`; `in_other_team` when the owner belongs to a team
   */
  openWorkspace(request: {
    readonly name: string;
    readonly plan: string;
    readonly email: string | null;
    readonly externalId: string | null;
  }): Promise<Provisioned<DirectoryWorkspace>> {
    const { directory, store, teams, clock } = this.deps;
    const { plan, email, externalId } = request;
    const find = async (known: string) => (await directory.workspaces(FIRST, { externalId: known })).items[0];
    return this.#once(externalId, find, async () => {
      const name = nameOf(request.name);
      const ownerUserId = email === null ? await store.openService(clock.now()) : await this.#personOf(email);
      const id = await teams.open({ ownerUserId, plan, name, externalId }, { onAnyPlan: true });
      return (await directory.workspace(id))!;
    });
  }

  /**
   * Opens an account without a password. Of several concurrent calls with one external id, one opens it.
   *
   * @throws DomainError `user_exists`; `validation_failed`
   */
  openUser(request: {
    readonly email: string;
    readonly name: string | null;
    readonly externalId: string | null;
  }): Promise<Provisioned<DirectoryUser>> {
    const { directory } = this.deps;
    const { externalId } = request;
    const find = async (known: string) => (await directory.users(FIRST, null, known)).items[0];
    return this.#once(externalId, find, async () => {
      const id = await this.#open(request);
      if (externalId !== null) await this.deps.store.update(id, { externalId });
      return (await directory.user(id))!;
    });
  }

  /** @throws DomainError `not_found`; `validation_failed`; `conflict` for an external id that another user has */
  updateUser(
    userId: number,
    { name, externalId }: { readonly name?: string | null; readonly externalId?: string | null },
  ): Promise<void> {
    const { store, auditLog, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      const account = await store.lock(userId);
      if (!account || account.isService) throw notFound('user');
      await store.update(userId, {
        ...(name !== undefined && { name: name === null ? null : nameOf(name) }),
        ...(externalId !== undefined && { externalId }),
      });
      const changed = { name, external_id: externalId };
      const fields = (['name', 'external_id'] as const).filter((field) => changed[field] !== undefined);
      await auditLog.record({ action: 'account.update', target: userId, details: { fields }, workspaceOf: userId });
    });
  }

  /**
   * Creates an API token that acts in a workspace, as its owner.
   *
   * @throws DomainError `not_found`; `validation_failed`; `conflict` for the personal workspace of somebody who acts in a team
   */
  async createToken(workspaceId: number, request: Parameters<ApiTokens['createAsOperator']>[1]): Promise<IssuedToken> {
    const { directory, apiTokens } = this.deps;
    const workspace = await directory.workspace(workspaceId);
    if (!workspace) throw notFound('workspace');
    const { ownerId, isTeam } = workspace;
    if (!isTeam && (await directory.user(ownerId))?.workspaceId !== workspaceId) {
      throw new DomainError('conflict', 'the owner of this personal workspace acts in a team');
    }
    return apiTokens.createAsOperator(ownerId, request);
  }

  /** A call that lost to another with the same external id fails in some way, and then finds what that one has made. */
  async #once<T>(
    externalId: string | null,
    find: (externalId: string) => Promise<T | undefined>,
    make: () => Promise<T>,
  ): Promise<Provisioned<T>> {
    const known = externalId === null ? undefined : await find(externalId);
    if (known) return { found: known, isNew: false };
    try {
      return { found: await this.deps.unitOfWork.run(make), isNew: true };
    } catch (error) {
      const meanwhile = externalId === null ? undefined : await find(externalId);
      if (meanwhile) return { found: meanwhile, isNew: false };
      throw error;
    }
  }

  async #personOf(email: string): Promise<number> {
    const account = await this.deps.store.findByEmail(emailOf(email));
    return account?.id ?? this.#open({ email, name: null });
  }

  /** The operator vouches for the address. */
  async #open({ email, name }: { readonly email: string; readonly name: string | null }): Promise<number> {
    return (await this.deps.accounts.open({ email, name, passwordHash: null, emailVerified: true })).user.id;
  }
}
