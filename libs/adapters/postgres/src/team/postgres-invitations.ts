import { sql, type ExpressionBuilder, type InferResult } from 'kysely';
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
import { build, prepared, snakeCase, type Param } from '../prepared.ts';
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

export function pendingOf(row: InferResult<typeof selectInvitations>[number]): PendingInvitation {
  const { inviterId, inviterEmail, inviterName, ownerEmail, ownerName, ...facts } = row;
  return {
    ...facts,
    state: 'pending',
    inviter: { userId: inviterId, email: inviterEmail, name: inviterName },
    owner: { email: ownerEmail, name: ownerName },
  };
}

/** Selects the invitations that can be answered at `now`: the inviter may still invite. */
export const selectPending = (param: Param<{ now: Date }>) => selectInvitations.where(isPending(param));

export const isPending = (param: Param<{ now: Date }>) => (eb: ExpressionBuilder<Tables, 'invitations'>) =>
  eb.and([
    eb('invitations.state', '=', 'pending'),
    eb('invitations.expires_at', '>', param('now')),
    eb.exists(
      eb
        .selectFrom('memberships')
        .select('role')
        .whereRef('workspace_id', '=', 'invitations.workspace_id')
        .whereRef('user_id', '=', 'invitations.invited_by')
        .where('role', 'in', INVITING_ROLES),
    ),
  ]);

interface Key {
  readonly workspaceId: number;
  readonly id: number;
  readonly now: Date;
}

const findInvitation = prepared<{ id: number }>()((param) =>
  selectInvitations.where('invitations.id', '=', param('id')),
);

const selectPendingById = (param: Param<Key>) =>
  selectPending(param).where((eb) =>
    eb.and({ 'invitations.workspace_id': param('workspaceId'), 'invitations.id': param('id') }),
  );

const findPending = prepared<Key>()(selectPendingById);

/** An invitation is answered or revoked once: concurrent calls wait for the lock, and then do not find it pending. */
const lockPending = prepared<Key>()((param) => selectPendingById(param).forNoKeyUpdate('invitations'));

interface MailsKey extends Pick<NewInvitation, 'workspaceId' | 'email'> {
  readonly since: Date;
}

interface TokenKey {
  readonly hash: Buffer;
  readonly userId: number;
  readonly now: Date;
}

const selectWithToken = (param: Param<Omit<TokenKey, 'userId'>>) =>
  selectPending(param).where(sql<boolean>`invitations.token_hashes @> array[${param('hash')}::bytea]`);

const findWithToken = prepared<Omit<TokenKey, 'userId'>>()(selectWithToken);

const selectPendingByToken = (param: Param<TokenKey>) =>
  selectWithToken(param)
    .innerJoin('users as account', 'account.email', 'invitations.email')
    .where('account.id', '=', param('userId'));

const findByToken = prepared<TokenKey>()(selectPendingByToken);

const lockByToken = prepared<TokenKey>()((param) => selectPendingByToken(param).forNoKeyUpdate('invitations'));

/** An address has one pending invitation to a team (`invitations_one_pending`): concurrent invitations wait for each other. */
const lockAddress = prepared<NewInvitation>()((param) =>
  build.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtextextended(${param('email')}, ${param('workspaceId')}))`.as('locked'),
  ),
);

/** All workspaces count together for an address. In one order, so that two units of work never deadlock. */
const lockCounts = prepared<MailsKey>()((param) =>
  build.selectNoFrom([
    sql`pg_advisory_xact_lock(hashtextextended('invitations of a workspace', ${param('workspaceId')}))`.as('workspace'),
    sql`pg_advisory_xact_lock(hashtextextended(${param('email')}, -1))`.as('address'),
  ]),
);

const countMails = prepared<MailsKey>()((param) => {
  const mailed = build
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_at', '>', param('since'))
    .where('delivery', '!=', 'limited');
  return build.selectNoFrom([
    mailed.where('email', '=', param('email')).as('toAddress'),
    mailed.where('workspace_id', '=', param('workspaceId')).as('ofWorkspace'),
  ]);
});

const addToken = prepared<{ id: number; hash: Buffer; now: Date }>()((param) =>
  build
    .updateTable('invitations')
    .set({ token_hashes: sql`(array_prepend(${param('hash')}, token_hashes))[1:${sql.lit(MAX_TOKENS)}]` })
    .where((eb) => eb.and({ id: param('id'), state: 'pending' }))
    .where('expires_at', '>', param('now'))
    .returning('id'),
);

export class PostgresInvitations implements InvitationStore {
  constructor(private readonly database: Database) {}

  add(invitation: NewInvitation): Promise<PendingInvitation> {
    return this.database.transaction(async () => {
      await this.database.run(lockAddress, invitation);
      await this.revoke(invitation.workspaceId, { email: invitation.email }, invitation.createdAt);
      return this.#find(await this.database.em.insert(Invitation, invitation));
    });
  }

  async recentMails(invited: Pick<NewInvitation, 'workspaceId' | 'email'>, since: Date): Promise<RecentMails> {
    await this.database.run(lockCounts, { ...invited, since });
    const { toAddress, ofWorkspace } = (await this.database.one(countMails, { ...invited, since }))!;
    return { toAddress: toAddress!, ofWorkspace: ofWorkspace! };
  }

  isPending(workspaceId: number, id: number, now: Date): Promise<boolean> {
    return this.database.any(findPending, { workspaceId, id, now });
  }

  async lock(workspaceId: number, invitationId: number, now: Date): Promise<PendingInvitation | null> {
    const row = await this.database.one(lockPending, { workspaceId, id: invitationId, now });
    return row && pendingOf(row);
  }

  async findByToken(hex: TokenHash, userId: number | null, now: Date): Promise<PendingInvitation | null> {
    const hash = Buffer.from(hex, 'hex');
    const row =
      userId === null
        ? await this.database.one(findWithToken, { hash, now })
        : await this.database.one(findByToken, { hash, userId, now });
    return row && pendingOf(row);
  }

  async lockByToken(hash: TokenHash, userId: number, now: Date): Promise<PendingInvitation | null> {
    const row = await this.database.one(lockByToken, { hash: Buffer.from(hash, 'hex'), userId, now });
    return row && pendingOf(row);
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
    const updated = await this.database.one(addToken, { id: invitationId, hash: Buffer.from(hash, 'hex'), now });
    return updated && this.#find(invitationId);
  }

  async recordDelivery(invitationId: number, delivery: 'sent' | 'refused'): Promise<void> {
    await this.database.em.nativeUpdate(Invitation, { id: invitationId }, { delivery });
  }

  #ending(state: EndedInvitation['state'], endedAt: Date) {
    return this.database.kysely.updateTable('invitations').set({ state, ended_at: endedAt, token_hashes: [] });
  }

  async #find(id: number): Promise<PendingInvitation> {
    return pendingOf((await this.database.one(findInvitation, { id }))!);
  }
}
