import type { Month } from '#credits';
import type { Email, TokenHash } from '#identity';
import type { Page, PageRequest, Role } from '#kernel';
import type { EndedInvitation, PendingInvitation } from './domain/invitation.ts';
import type { MailMessage } from './domain/invitation-mail.ts';
import type { AssignableRole } from './domain/team.ts';

/** A member of a workspace. */
export interface Member {
  readonly userId: number;
  readonly email: Email;
  readonly name: string | null;
  readonly role: Role;
  readonly joinedAt: Date;
  /** E-mail of the user who added or invited them; `null` for the first owner. */
  readonly addedBy: Email | null;
  /** Whether they have ever had a token: they signed up, logged in, or were given one. */
  readonly isConfirmed: boolean;
}

/** The members of workspaces. They join by `TeamStore` of identity. */
export interface MemberStore {
  /** `null` when the user is not in the workspace. */
  find(workspaceId: number, userId: number): Promise<Member | null>;

  /**
   * Returns and locks the roles of those of these users who are in the workspace: until the surrounding unit of work
   * ends, they can be neither removed nor given another role. Lock all that are needed in one call: such calls never
   * deadlock.
   */
  lockRoles(workspaceId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, Role>>;

  /** Ends a membership. What the user made stays with the workspace. Does nothing when there is no such member. */
  remove(workspaceId: number, userId: number): Promise<void>;

  /** Gives a member another role. Does nothing when there is no such member. */
  changeRole(workspaceId: number, userId: number, role: AssignableRole): Promise<void>;

  /** Makes a member the owner, and the owner an admin, at once. */
  transferOwnership(workspaceId: number, ownerId: number, heirId: number): Promise<void>;
}

export interface NewInvitation {
  readonly workspaceId: number;
  readonly email: Email;
  readonly role: AssignableRole;
  /** User who invites. */
  readonly invitedBy: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Invitations to teams. One is pending until it is answered, revoked, or expires. */
export interface InvitationStore {
  /**
   * Adds one, and revokes the pending one for the same address in the same team. Of several concurrent calls for one
   * address, one invitation stays pending.
   *
   * @throws DomainError `conflict` when too many calls for this address run at once
   */
  add(invitation: NewInvitation): Promise<PendingInvitation>;

  isPending(workspaceId: number, invitationId: number, now: Date): Promise<boolean>;

  /** Returns and locks a pending one until the surrounding unit of work ends; `null` when there is no such. */
  lock(workspaceId: number, invitationId: number, now: Date): Promise<PendingInvitation | null>;

  /** Like `lock`, for the pending one of the user's own e-mail that has a valid token with this hash. */
  lockByToken(hash: TokenHash, userId: number, now: Date): Promise<PendingInvitation | null>;

  /** Saves the end of a locked one. Its tokens are deleted. */
  end(invitation: EndedInvitation): Promise<void>;

  /** Revokes the pending one for an address, if there is any. */
  revokeFor(workspaceId: number, email: Email, now: Date): Promise<void>;

  /**
   * Adds the hash of a token to a pending invitation. Earlier tokens stay valid, up to the latest `KEPT_TOKENS`: their
   * mails may have arrived.
   *
   * @returns `null`, without effect, when the invitation is not pending
   */
  addToken(invitationId: number, hash: TokenHash, now: Date): Promise<PendingInvitation | null>;

  recordDelivery(invitationId: number, delivery: 'sent' | 'refused'): Promise<void>;
}

export interface TeamOverview {
  readonly membersCount: number;
  readonly owner: Email;
  /** Credits reserved or charged in the month. */
  readonly used: number;
  /** Credits of the month on top of the plan's. */
  readonly granted: number;
}

export interface MemberUsage {
  readonly userId: number;
  readonly email: Email;
  /** `null` for a user who has left. */
  readonly role: Role | null;
  /** Credits reserved or charged. */
  readonly used: number;
  /** The number of generations that used them. */
  readonly generations: number;
}

export interface TeamUsage {
  readonly totalUsed: number;
  /** Most credits first. */
  readonly members: readonly MemberUsage[];
}

/** The reads of a team. Each takes one round trip, and costs the same however many generations there were. */
export interface TeamViews {
  /** Costs the same however many members there are. */
  overview(workspaceId: number, month: Month): Promise<TeamOverview>;

  /**
   * The credits used by each member, and by users who have left.
   *
   * @param onlyUserId the one user to return; `null` for all
   */
  usage(workspaceId: number, month: Month, onlyUserId: number | null): Promise<TeamUsage>;

  /** By user, newest first. */
  members(workspaceId: number, page: PageRequest): Promise<Page<Member>>;

  /** Pending invitations, newest first. */
  invitations(workspaceId: number, now: Date, page: PageRequest): Promise<Page<PendingInvitation>>;
}

/** The mail server rejects this message, or its recipient, permanently. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
  readonly retryable = false;
}

/** Outgoing mail. */
export interface Mail {
  /**
   * Hands a message over for delivery. After any other error than `MailRefused` it is unknown whether the message was
   * handed over.
   *
   * @throws MailRefused when a retry can't succeed; DomainError `unavailable` for anything temporary
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;

  /**
   * Checks whether mail could be handed over now, without sending any.
   *
   * @throws DomainError `unavailable`, with the reason as its message
   */
  check(): Promise<void>;
}
