import { sql } from 'kysely';
import type { Belonging, DoneErasure, Erasure, ErasureStore, RequestedErasure } from '#erasure';
import type { Email } from '#identity';
import type { Database } from '../database.ts';
import { anyIn, anyOf } from '../prepared.ts';
import { User } from '../schema.ts';

/** Tables with rows of a user that are of no use without the person. Recovery codes go with two-factor. */
const OF_THE_PERSON = [
  'account_confirmations',
  'sign_in_links',
  'log_in_challenges',
  'two_factors',
  'identities',
  'api_tokens',
  'invitations',
  'events',
  'user_preferences',
  'inbox_entries',
  'inbox_mails',
  'inbox_settings',
  'review_notices',
  'review_mails',
] as const;

/** Jobs that name a person by their address; others name ids. */
const JOBS_BY_EMAIL = ['password_reset.request', 'sign_in.record_failure'] as const;

/**
 * A transaction that adds something to a user locks the user's row `for key share`, by a foreign key. A request of an
 * erasure changes the address, a unique key: it waits for them and they wait for it.
 */
export class PostgresErasures implements ErasureStore {
  constructor(private readonly database: Database) {}

  /** Locks in the order of answers to invitations and of changes of members. */
  async lockTeam(workspaceId: number): ReturnType<ErasureStore['lockTeam']> {
    const { kysely } = this.database;
    const ofWorkspace = { workspace_id: workspaceId };
    const pending = kysely.selectFrom('invitations').select('id').where('workspace_id', '=', workspaceId);
    await pending.where('state', '=', 'pending').orderBy('id').forUpdate().execute();
    const workspace = kysely.selectFrom('workspaces').where('id', '=', workspaceId).forNoKeyUpdate();
    const locked = await workspace.select(['kind', 'erasure_requested_at']).executeTakeFirst();
    const memberships = kysely.selectFrom('memberships').where((eb) => eb.and(ofWorkspace));
    await memberships.select('user_id').orderBy('user_id').forUpdate().execute();
    const owner = await memberships
      .innerJoin('users', 'users.id', 'memberships.user_id')
      .where('memberships.role', '=', 'owner')
      .select(['users.id as ownerId', 'users.is_service as isOwnerService'])
      .executeTakeFirst();
    if (!locked || !owner) return null;
    return { isTeam: locked.kind === 'team', isErased: locked.erasure_requested_at !== null, ...owner };
  }

  async endMemberships(workspaceId: number, ownerId: number): Promise<void> {
    const { kysely } = this.database;
    await kysely
      .deleteFrom('memberships')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '!=', ownerId)
      .execute();
    const files = kysely.selectFrom('files').select('id').where('workspace_id', '=', workspaceId);
    await kysely.updateTable('users').set({ avatar_file_id: null }).where('avatar_file_id', 'in', files).execute();
  }

  /**
   * Locks in the order of answers to invitations, of changes of members, and of uses of mailed tokens. What is locked is
   * read by the statements after it, which see what was committed before the lock was granted.
   */
  async lockSurroundings(userId: number, email: Email): Promise<void> {
    const { kysely } = this.database;
    const lockedInvitations = kysely.selectFrom('invitations').select('id').orderBy('id').forUpdate();
    await lockedInvitations.where('email', '=', email).execute();
    await kysely
      .selectFrom('memberships')
      .select('role')
      .where('user_id', '=', userId)
      .orderBy('workspace_id')
      .forUpdate()
      .execute();
    const owned = kysely
      .selectFrom('memberships')
      .select('workspace_id')
      .where((eb) => eb.and({ user_id: userId, role: 'owner' }));
    await lockedInvitations
      .where('state', '=', 'pending')
      .where((eb) => eb.or([eb('invited_by', '=', userId), eb('workspace_id', 'in', owned)]))
      .execute();
    for (const table of ['account_confirmations', 'sign_in_links'] as const) {
      await kysely.selectFrom(table).select('id').where('user_id', '=', userId).orderBy('id').forUpdate().execute();
    }
  }

  /** A new membership refers to its user: after the lock, it is read or waits. */
  async lockBelongings(userId: number): Promise<readonly Belonging[]> {
    const { kysely } = this.database;
    await kysely.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    return kysely
      .selectFrom('workspaces')
      .innerJoin('memberships', 'memberships.workspace_id', 'workspaces.id')
      .select(['workspaces.id as workspaceId', 'memberships.role', 'workspaces.members_count as members'])
      .where('memberships.user_id', '=', userId)
      .orderBy('workspaces.id')
      .forNoKeyUpdate('workspaces')
      .execute();
  }

  async request(
    { userId, requestedAt, workspaceIds }: RequestedErasure,
    email: Email,
    leftIds: readonly number[],
  ): Promise<void> {
    const { kysely } = this.database;
    await this.#clearTokenNames(userId);
    const erased = anyOf(sql.val(workspaceIds));
    const left = kysely.deleteFrom('memberships').where('workspace_id', '=', anyOf(sql.val(leftIds)));
    await left.where('user_id', '=', userId).execute();
    const workspaces = kysely.updateTable('workspaces').where('id', '=', erased);
    await workspaces.set({ erasure_requested_at: requestedAt, external_id: null }).execute();
    await kysely.deleteFrom('invitations').where('email', '=', email).execute();
    await kysely
      .updateTable('invitations')
      .set({ state: 'revoked', ended_at: requestedAt, token_hashes: [] })
      .where('state', '=', 'pending')
      .where((eb) => eb.or([eb('invited_by', '=', userId), eb('workspace_id', '=', erased)]))
      .execute();
    await kysely
      .updateTable('users')
      .set({
        email: null,
        name: null,
        password_hash: null,
        avatar_file_id: null,
        email_verified_at: null,
        is_operator: false,
        operator_by_claim: false,
        external_id: null,
        erasure_requested_at: requestedAt,
      })
      .where('id', '=', userId)
      .execute();
    await this.#deleteRows(userId);
    await kysely
      .deleteFrom('jobs')
      .where((eb) =>
        eb.or([
          eb('name', 'in', JOBS_BY_EMAIL).and(sql<string>`payload ->> 'email'`, '=', email),
          eb('name', '=', 'account.notice').and(sql<string>`payload ->> 'userId'`, '=', `${userId}`),
        ]),
      )
      .execute();
  }

  async find(userId: number): Promise<Erasure | null> {
    const { kysely } = this.database;
    const user = await kysely
      .selectFrom('users')
      .select(['erasure_requested_at as requestedAt', 'erased_at as doneAt'])
      .where('id', '=', userId)
      .where('erasure_requested_at', 'is not', null)
      .$narrowType<{ requestedAt: Date }>()
      .executeTakeFirst();
    if (!user) return null;
    const { requestedAt, doneAt } = user;
    if (doneAt) return { state: 'done', userId, requestedAt, doneAt };
    const workspaces = await kysely
      .selectFrom('memberships')
      .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
      .select('memberships.workspace_id')
      .where('memberships.user_id', '=', userId)
      .where('workspaces.erasure_requested_at', 'is not', null)
      .orderBy('memberships.workspace_id')
      .execute();
    return { state: 'requested', userId, requestedAt, workspaceIds: workspaces.map((each) => each.workspace_id) };
  }

  async clearAuditLog(userId: number, limit: number): Promise<number> {
    const { kysely } = this.database;
    const entries = kysely
      .selectFrom('audit_log')
      .select('id')
      .where('user_id', '=', userId)
      .where((eb) =>
        eb.or([eb('address', 'is not', null), eb('target_type', '=', 'token').and('target_name', 'is not', null)]),
      )
      .limit(limit);
    const cleared = await kysely
      .updateTable('audit_log')
      .set({
        address: null,
        target_name: sql<string | null>`case when target_type = 'token' then null else target_name end`,
      })
      .where('id', '=', anyIn(entries))
      .returning('id')
      .execute();
    return cleared.length;
  }

  async finish({ userId, doneAt }: DoneErasure): Promise<boolean> {
    const { kysely } = this.database;
    await kysely.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const workspaces = await kysely.selectFrom('memberships').select('role').where('user_id', '=', userId).execute();
    if (workspaces.length > 0) return false;
    await this.#deleteRows(userId);
    const caller = `user:${userId}`;
    await kysely
      .deleteFrom('idempotency_keys')
      .where((eb) => eb.or([eb('caller', '=', caller), eb('caller', 'like', `${caller} %`)]))
      .execute();
    await this.database.em.nativeUpdate(User, { id: userId }, { erasedAt: doneAt });
    return true;
  }

  async #deleteRows(userId: number): Promise<void> {
    for (const table of OF_THE_PERSON) {
      await this.database.kysely.deleteFrom(table).where('user_id', '=', userId).execute();
    }
  }

  /** Operators may have made tokens of the user: their entries are not the user's own. */
  async #clearTokenNames(userId: number): Promise<void> {
    const { kysely } = this.database;
    await kysely
      .updateTable('audit_log')
      .set({ target_name: null })
      .where(
        'workspace_id',
        'in',
        kysely.selectFrom('memberships').select('workspace_id').where('user_id', '=', userId),
      )
      .where('target_type', '=', 'token')
      .where('target_id', 'in', kysely.selectFrom('api_tokens').select('id').where('user_id', '=', userId))
      .execute();
  }
}
