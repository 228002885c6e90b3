import { sql, type Compilable, type ExpressionBuilder, type InferResult, type RawBuilder } from 'kysely';
import type { Email, TokenHash } from '#identity';
import {
  INVITING_ROLES,
  MAX_TOKENS,
  type EndedInvitation,
  type InvitationsOf,
  type InvitationStore,
  type NewInvitation,
  type PendingInvitation,
  type RecentMails,
} from '#team';
import type { Database } from '../database.ts';
import { build, snakeCase } from '../prepared.ts';
import { Invitation, type Tables } from '../schema.ts';

/** Invitations with their inviter and the team's owner, who are members. */
const selectInvitations = build
  .selectFrom('invitations')
  .innerJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
  .innerJoin('memberships as ownership', (join) =>
    join.onRef('ownership.workspace_id', '=', 'invitations.workspace_id').on('ownership.role', '=', 'owner'),
  )
  .innerJoin('users as owner', 'owner.id', 'ownership.user_id')
  .innerJoin('workspaces', 'workspaces.id', 'invitations.workspace_id')
  .select(['invitations.id', 'invitations.workspace_id as workspaceId', 'invitations.email', 'invitations.role'])
  .select(['invitations.delivery', 'invitations.created_at as createdAt', 'invitations.expires_at as expiresAt'])
  .select(['inviter.id as inviterId', 'inviter.email as inviterEmail', 'inviter.name as inviterName'])
  .select(['owner.email as ownerEmail', 'owner.name as ownerName', 'workspaces.plan'])
  .where('inviter.email', 'is not', null)
  .where('owner.email', 'is not', null)
  .$narrowType<{ inviterEmail: Email; ownerEmail: Email }>();

type InvitationRow = InferResult<typeof selectInvitations>[number];

export function pendingOf(row: InvitationRow): PendingInvitation {
  const { inviterId, inviterEmail, inviterName, ownerEmail, ownerName, ...facts } = row;
  return {
    ...facts,
    state: 'pending',
    inviter: { userId: inviterId, email: inviterEmail, name: inviterName },
    owner: { email: ownerEmail, name: ownerName },
  };
}

/** Selects the invitations that can be answered at `now`: the inviter may still invite. */
export const selectPending = (now: RawBuilder<Date> | Date) => selectInvitations.where(isPending(now));

export const isPending = (now: RawBuilder<Date> | Date) => (eb: ExpressionBuilder<Tables, 'invitations'>) =>
  eb.and([
    eb('invitations.state', '=', 'pending'),
    eb('invitations.expires_at', '>', now),
    eb.exists(
      eb
        .selectFrom('memberships')
        .select('role')
        .whereRef('workspace_id', '=', 'invitations.workspace_id')
        .whereRef('user_id', '=', 'invitations.invited_by')
        .where('role', 'in', INVITING_ROLES),
    ),
  ]);

const selectById = (workspaceId: number, id: number, now: Date) =>
  selectPending(now).where((eb) => eb.and({ 'invitations.workspace_id': workspaceId, 'invitations.id': id }));

const selectByToken = (hash: TokenHash, userId: number | null, now: Date) =>
  selectPending(now)
    .where(sql<boolean>`invitations.token_hashes @> array[${Buffer.from(hash, 'hex')}::bytea]`)
    .$if(userId !== null, (invitations) =>
      invitations.innerJoin('users as account', 'account.email', 'invitations.email').where('account.id', '=', userId!),
    );

export class PostgresInvitations implements InvitationStore {
  constructor(private readonly database: Database) {}

  add(invitation: NewInvitation): Promise<PendingInvitation> {
    return this.database.transaction(async () => {
      // An address has one pending invitation to a team (`invitations_one_pending`).
      await this.#lock([invitation.email, invitation.workspaceId]);
      await this.revoke(invitation.workspaceId, { email: invitation.email }, invitation.createdAt);
      return this.#find(await this.database.em.insert(Invitation, invitation));
    });
  }

  async recentMails(invited: Pick<NewInvitation, 'workspaceId' | 'email'>, since: Date): Promise<RecentMails> {
    // All workspaces count together for an address. In one order, so that two units of work never deadlock.
    await this.#lock(['invitations of a workspace', invited.workspaceId], [invited.email, -1]);
    const mailed = build
      .selectFrom('invitations')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('created_at', '>', since)
      .where('delivery', '!=', 'limited');
    const counts = this.database.kysely.selectNoFrom([
      mailed.where('email', '=', invited.email).$asScalar().as('toAddress'),
      mailed.where('workspace_id', '=', invited.workspaceId).$asScalar().as('ofWorkspace'),
    ]);
    const { toAddress, ofWorkspace } = await counts.executeTakeFirstOrThrow();
    return { toAddress: toAddress!, ofWorkspace: ofWorkspace! };
  }

  async isPending(workspaceId: number, id: number, now: Date): Promise<boolean> {
    return (await this.#first(selectById(workspaceId, id, now))) !== null;
  }

  /** An invitation is answered or revoked once: concurrent calls wait for the lock, and then do not find it pending. */
  lock(workspaceId: number, invitationId: number, now: Date): Promise<PendingInvitation | null> {
    return this.#first(selectById(workspaceId, invitationId, now).forNoKeyUpdate('invitations'));
  }

  findByToken(hash: TokenHash, userId: number | null, now: Date): Promise<PendingInvitation | null> {
    return this.#first(selectByToken(hash, userId, now));
  }

  lockByToken(hash: TokenHash, userId: number, now: Date): Promise<PendingInvitation | null> {
    return this.#first(selectByToken(hash, userId, now).forNoKeyUpdate('invitations'));
  }

  async end({ id, state, endedAt }: EndedInvitation, answeredBy?: number): Promise<void> {
    const answer = answeredBy === undefined ? {} : { user_id: answeredBy };
    await this.#ending(state, endedAt).set(answer).where('id', '=', id).execute();
  }

  async revoke(workspaceId: number, which: InvitationsOf, now: Date): Promise<boolean> {
    const [[name, value]] = Object.entries(which) as [[string, string | number]];
    const revoked = await this.#ending('revoked', now)
      .where((eb) => eb.and({ workspace_id: workspaceId, state: 'pending' }))
      .where(sql.ref(snakeCase(name)), '=', value)
      .returning('expires_at')
      .execute();
    return revoked.some(({ expires_at: expiresAt }) => expiresAt > now);
  }

  async addToken(invitationId: number, hash: TokenHash, now: Date): Promise<PendingInvitation | null> {
    const hashes = sql<Buffer[]>`(array_prepend(${Buffer.from(hash, 'hex')}, token_hashes))[1:${sql.lit(MAX_TOKENS)}]`;
    const updated = await this.database.kysely
      .updateTable('invitations')
      .set({ token_hashes: hashes })
      .where((eb) => eb.and({ id: invitationId, state: 'pending' }))
      .where('expires_at', '>', now)
      .returning('id')
      .executeTakeFirst();
    return updated ? this.#find(invitationId) : null;
  }

  async recordDelivery(invitationId: number, delivery: 'sent' | 'refused'): Promise<void> {
    await this.database.em.nativeUpdate(Invitation, { id: invitationId }, { delivery });
  }

  #ending(state: EndedInvitation['state'], endedAt: Date) {
    return this.database.kysely.updateTable('invitations').set({ state, ended_at: endedAt, token_hashes: [] });
  }

  async #find(id: number): Promise<PendingInvitation> {
    return (await this.#first(selectInvitations.where('invitations.id', '=', id)))!;
  }

  async #first(invitations: Compilable<InvitationRow>): Promise<PendingInvitation | null> {
    const [row] = (await this.database.kysely.executeQuery(invitations)).rows;
    return row ? pendingOf(row) : null;
  }

  async #lock(...names: readonly (readonly [name: string, number: number])[]): Promise<void> {
    const locks = names.map(([name, number], index) =>
      sql`pg_advisory_xact_lock(hashtextextended(${name}, ${number}))`.as(`lock${index}`),
    );
    await this.database.kysely.selectNoFrom(locks).execute();
  }
}
