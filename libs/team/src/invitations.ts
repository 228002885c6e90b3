import type { AuditLog } from '#audit-log';
import type { EventLog } from '#events';
import {
  assertMay,
  emailOf,
  planOf,
  type AccountStore,
  type Actor,
  type Gate,
  type Plans,
  type TeamStore,
  type TokenSecret,
  type TokenSecrets,
} from '#identity';
import { DomainError, notFound, type Clock, type JobRun, type Jobs, type UnitOfWork } from '#kernel';
import { MailRefused, type Mail } from '#mail';
import { invitationMail, type InvitationUrls } from './domain/invitation-mail.ts';
import {
  accept,
  decline,
  firstDelivery,
  invitationExpiry,
  MAILS_WINDOW_MS,
  revoke,
  type AcceptedInvitation,
  type DeclinedInvitation,
  type PendingInvitation,
} from './domain/invitation.ts';
import { memberEvent } from './domain/member-event.ts';
import { assertTakesMembers, currentActor, type AssignableRole } from './domain/team.ts';
import type { InvitationStore, MemberStore, NewInvitation } from './ports.ts';

export class Invitations {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'findByEmail' | 'update'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly gate: Pick<Gate, 'requireActive'>;
      readonly teams: Pick<TeamStore, 'join'>;
      readonly members: Pick<MemberStore, 'lockRoles'>;
      readonly invitations: InvitationStore;
      /** True if the mails to an address and of a workspace are limited. */
      readonly limitsMails: boolean;
      readonly secrets: TokenSecrets;
      readonly plans: Plans;
      readonly events: EventLog;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Invites an address without an account to the caller's team. A job mails the token.
   *
   * @throws DomainError `forbidden`; `conflict` (a personal workspace); `validation_failed`; `user_exists` when there
   * is an account with this e-mail
   */
  invite(actor: Actor, request: { readonly email: string; readonly role: AssignableRole }): Promise<PendingInvitation> {
    return this.#asInviter(actor, async () => {
      assertTakesMembers(actor);
      const email = emailOf(request.email);
      if (await this.deps.accounts.findByEmail(email)) {
        throw new DomainError('user_exists', 'there is a user with this e-mail already: add them as a member instead');
      }
      return this.send(actor, { email, role: request.role, userId: null });
    });
  }

  /** Adds an invitation and announces its mail, unless too many were mailed before, inside a unit of work that has checked that the actor may invite. */
  async send(
    { workspaceId, userId: invitedBy }: Actor,
    invited: Pick<NewInvitation, 'email' | 'role' | 'userId'>,
  ): Promise<PendingInvitation> {
    const createdAt = this.deps.clock.now();
    const expiresAt = invitationExpiry(createdAt);
    const delivery = await this.#firstDelivery({ workspaceId, email: invited.email }, createdAt);
    const added = { ...invited, workspaceId, invitedBy, delivery, createdAt, expiresAt };
    const invitation = await this.deps.invitations.add(added);
    if (delivery === 'waiting') {
      await this.deps.jobs.announce({ name: 'invitation.send', payload: { invitationId: invitation.id }, workspaceId });
    }
    const details = { role: invitation.role };
    await this.deps.auditLog.record({ action: 'team.invite', target: invitation.id, details });
    return invitation;
  }

  async #firstDelivery(invited: Pick<NewInvitation, 'workspaceId' | 'email'>, now: Date) {
    if (!this.deps.limitsMails) return 'waiting';
    const since = new Date(now.getTime() - MAILS_WINDOW_MS);
    return firstDelivery(await this.deps.invitations.recentMails(invited, since));
  }

  /**
   * Revokes a pending invitation; its tokens are invalid at once.
   *
   * @throws DomainError `forbidden`; `not_found` when it is not pending in this team
   */
  async revoke(actor: Actor, invitationId: number): Promise<void> {
    const { invitations, clock } = this.deps;
    await this.#asInviter(actor, async () => {
      const now = clock.now();
      const pending = await invitations.lock(actor.workspaceId, invitationId, now);
      if (!pending) throw notFound('invitation');
      await invitations.end(revoke(pending, now));
      await this.deps.auditLog.record({ action: 'team.invitation_revoke', target: invitationId, details: {} });
    });
  }

  /**
   * Reads an invitation by its token, for the invited user. Refuses invalid tokens as `respond`.
   *
   * @throws DomainError `invalid_invitation`
   */
  async read({ userId }: Pick<Actor, 'userId'>, token: string): Promise<PendingInvitation> {
    const { invitations, secrets, clock } = this.deps;
    return this.#valid(await invitations.findByToken(secrets.hash(token as TokenSecret), userId, clock.now()));
  }

  /**
   * Reads an invitation by its token alone, as its mail says it: for somebody who has yet to sign in. Refuses invalid tokens
   * as `respond`.
   *
   * @throws DomainError `invalid_invitation`
   */
  async preview(token: string): Promise<PendingInvitation> {
    const { invitations, secrets, clock } = this.deps;
    return this.#valid(await invitations.findByToken(secrets.hash(token as TokenSecret), null, clock.now()));
  }

  /**
   * Accepts or declines an invitation by its token. A user who accepts acts in the team from their next request on. All
   * invalid tokens fail with the same error after the same work: even a malformed token is looked up.
   *
   * @throws DomainError `invalid_invitation`; `in_other_team`, `workspace_suspended`, which leave the invitation pending
   */
  respond(
    { userId }: Pick<Actor, 'userId'>,
    { token, act }: { readonly token: string; readonly act: 'accept' | 'decline' },
  ): Promise<AcceptedInvitation | DeclinedInvitation> {
    const { accounts, auditLog, invitations, secrets, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      const now = clock.now();
      const pending = this.#valid(await invitations.lockByToken(secrets.hash(token as TokenSecret), userId, now));
      const ended = act === 'accept' ? accept(pending, now) : decline(pending, now);
      // The user may have another address when the account is erased.
      await invitations.end(ended, userId);
      // In the team's log, not in that of the workspace in which the user acts.
      const answer = { target: ended.id, workspaceId: ended.workspaceId };
      if (ended.state === 'declined') {
        await auditLog.record({ action: 'team.invitation_decline', details: {}, ...answer });
      } else {
        await this.deps.gate.requireActive(ended.workspaceId);
        await auditLog.record({ action: 'team.invitation_accept', details: { role: ended.role }, ...answer });
        await this.#join(ended, userId);
        // The token was mailed to this address.
        await accounts.update(userId, { emailVerifiedAt: now });
      }
      return ended;
    });
  }

  #valid(found: PendingInvitation | null): PendingInvitation {
    // Without a team plan nobody may invite, and no earlier invitation is valid.
    if (found && planOf(this.deps.plans, found.plan).teams) return found;
    throw new DomainError(
      'invalid_invitation',
      'this invitation is not valid: ask the team for a new one, and log in with the invited e-mail',
    );
  }

  async #join({ workspaceId, role, inviter, endedAt }: AcceptedInvitation, userId: number): Promise<void> {
    await this.deps.teams.join({ workspaceId, userId, role, addedBy: inviter.userId, joinedAt: endedAt });
    await this.deps.events.record(memberEvent('joined', workspaceId, userId, role, endedAt));
  }

  /** Runs `work` in a unit of work that first checks that the caller may invite. */
  #asInviter<T>(actor: Actor, work: () => Promise<T>): Promise<T> {
    return this.deps.unitOfWork.run(async () => {
      const roles = await this.deps.members.lockRoles(actor.workspaceId, [actor.userId]);
      assertMay('team.invite', currentActor(actor, roles));
      return work();
    });
  }
}

const RETRY_SECONDS = 600;

/** Mails invitations, run by the job `invitation.send`. */
export class InvitationMails {
  constructor(
    private readonly invitations: InvitationStore,
    private readonly mail: Mail,
    private readonly secrets: TokenSecrets,
    private readonly urls: InvitationUrls,
    private readonly jobs: Jobs,
    private readonly clock: Clock,
  ) {}

  /**
   * Mails a new token, of which only the hash is stored. A repeated mail has a new token, and earlier tokens stay valid.
   * Without effect when the invitation is no longer pending.
   *
   * @throws as `Mail.send`
   */
  async send(invitationId: number, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    const token = this.secrets.create();
    const hash = this.secrets.hash(token);
    const invitation = await this.invitations.addToken(invitationId, hash, this.clock.now());
    if (!invitation) return;
    await this.mail.send(invitationMail(invitation, token, this.urls), signal);
    await this.invitations.recordDelivery(invitationId, 'sent');
  }

  /** Announces a failed job again, or records that the address was refused. */
  async handleFailure(
    invitationId: number,
    error: unknown,
    { workspaceId }: Pick<JobRun, 'workspaceId'>,
  ): Promise<void> {
    if (error instanceof MailRefused) return this.invitations.recordDelivery(invitationId, 'refused');
    const job = { name: 'invitation.send', payload: { invitationId }, workspaceId } as const;
    await this.jobs.announce(job, { delaySeconds: RETRY_SECONDS });
  }
}
