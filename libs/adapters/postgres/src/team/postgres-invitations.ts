import type { Email, TokenHash } from '#identity';
import { DomainError, pageOf, type Page, type PageRequest } from '#kernel';
import {
  KEPT_TOKENS,
  type AnsweredInvitation,
  type AssignableRole,
  type Invitation,
  type InvitationAnswer,
  type InvitationLetter,
  type Invitations,
  type NewInvitation,
} from '#team';
import type { Database } from '../database.ts';

export class PostgresInvitations implements Invitations {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async add(invitation: NewInvitation): Promise<Invitation> {
    const { workspaceId, email, role, invitedBy, createdAt, expiresAt } = invitation;
    const values = [workspaceId, email, role, invitedBy, createdAt, expiresAt];
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const added = await this.#database.one<Invitation>(ADD, values);
      if (added) return added;
    }
    throw new DomainError('conflict', 'this address is being invited by others right now; try again');
  }

  async list(workspaceId: number, now: Date, { limit, after }: PageRequest): Promise<Page<Invitation>> {
    const rows = await this.#database.query<Invitation>(LIST, [
      workspaceId,
      now,
      after,
      limit === null ? null : limit + 1,
    ]);
    return pageOf(rows, limit, ({ id }) => id);
  }

  async isPending(workspaceId: number, invitationId: number, now: Date): Promise<boolean> {
    return (await this.#database.one(IS_PENDING, [workspaceId, invitationId, now])) !== null;
  }

  async revoke(workspaceId: number, invitationId: number, now: Date): Promise<boolean> {
    return (await this.#database.one(REVOKE, [workspaceId, invitationId, now])) !== null;
  }

  async revokeFor(workspaceId: number, email: Email, now: Date): Promise<void> {
    await this.#database.query(REVOKE_FOR, [workspaceId, email, now]);
  }

  async issueToken(invitationId: number, hash: TokenHash, now: Date): Promise<InvitationLetter | null> {
    const letter = await this.#database.one<LetterRow>(ISSUE_TOKEN, [invitationId, hash, now]);
    if (!letter) return null;
    const { inviterEmail, inviterName, ...rest } = letter;
    return { ...rest, inviter: { email: inviterEmail, name: inviterName } };
  }

  async recordDelivery(invitationId: number, delivery: 'sent' | 'refused'): Promise<void> {
    await this.#database.query(RECORD_DELIVERY, [invitationId, delivery]);
  }

  async answer(
    hash: TokenHash,
    userId: number,
    answer: InvitationAnswer,
    now: Date,
  ): Promise<AnsweredInvitation | null> {
    return this.#database.one<AnsweredInvitation>(ANSWER, [hash, userId, answer, now]);
  }
}

interface LetterRow {
  readonly email: Email;
  readonly role: AssignableRole;
  readonly inviterEmail: Email;
  readonly inviterName: string | null;
  readonly owner: Email;
  readonly expiresAt: Date;
}

const MAX_ATTEMPTS = 10;

const INVITATION = `
  invitation.id, invitation.workspace_id as "workspaceId", invitation.email, invitation.role,
  inviter.email as "invitedBy", invitation.delivery,
  invitation.created_at as "createdAt", invitation.expires_at as "expiresAt"`;

const OWNER = `(
  select account.email from memberships member join users account on account.id = member.user_id
  where member.workspace_id = invitation.workspace_id and member.role = 'owner')`;

const IS_OVER = `ended_at = $3, token_hashes = '{}'`;

// The insert reads what was revoked, so that this is done before. One that is being added by others meanwhile is only
// seen by the next attempt.
const ADD = `
  with revoked as (
    update invitations set state = 'revoked', ended_at = $5::timestamptz, token_hashes = '{}'
    where workspace_id = $1 and email = $2 and state = 'pending'
    returning id
  ), invitation as (
    insert into invitations (workspace_id, email, role, invited_by, created_at, expires_at)
    select $1, $2, $3, $4, $5::timestamptz, $6 from (select count(*) from revoked) done
    on conflict do nothing
    returning *
  )
  select ${INVITATION} from invitation join users inviter on inviter.id = invitation.invited_by`;

const LIST = `
  select ${INVITATION}
  from invitations invitation join users inviter on inviter.id = invitation.invited_by
  where invitation.workspace_id = $1 and invitation.state = 'pending' and invitation.expires_at > $2
    and ($3::bigint is null or invitation.id < $3)
  order by invitation.id desc
  limit $4`;

const IS_PENDING = `
  select from invitations where workspace_id = $1 and id = $2 and state = 'pending' and expires_at > $3`;

const REVOKE = `
  update invitations set state = 'revoked', ${IS_OVER}
  where workspace_id = $1 and id = $2 and state = 'pending' and expires_at > $3
  returning id`;

const REVOKE_FOR = `
  update invitations set state = 'revoked', ${IS_OVER}
  where workspace_id = $1 and email = $2 and state = 'pending'`;

const ISSUE_TOKEN = `
  update invitations invitation
  set token_hashes = (array_prepend(decode($2, 'hex'), token_hashes))[1:${KEPT_TOKENS}]
  from users inviter
  where invitation.id = $1 and state = 'pending' and expires_at > $3 and inviter.id = invited_by
  returning invitation.email, invitation.role, inviter.email as "inviterEmail", inviter.name as "inviterName",
    ${OWNER} as owner, invitation.expires_at as "expiresAt"`;

const RECORD_DELIVERY = `update invitations set delivery = $2 where id = $1`;

// Who comes second waits for the row, and then finds it ended.
const ANSWER = `
  update invitations invitation set state = $3, ended_at = $4, token_hashes = '{}'
  from users account
  where invitation.token_hashes @> array[decode($1, 'hex')]
    and invitation.state = 'pending' and invitation.expires_at > $4
    and account.id = $2 and account.email = invitation.email
  returning invitation.workspace_id as "workspaceId", invitation.role, invitation.invited_by as "invitedBy",
    ${OWNER} as owner`;
