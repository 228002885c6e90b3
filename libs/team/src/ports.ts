import type { Month } from '#credits';
import type { Email, TokenHash } from '#identity';
import type { Page, PageRequest, Role } from '#kernel';
import type { EndedInvitation, PendingInvitation, RecentMails } from './domain/invitation.ts';
import type { AssignableRole } from './domain/team.ts';

/** A member of a workspace. */
export interface Member {
  readonly userId: number;
  readonly email: Email;
  readonly name: string | null;
  readonly role: Role;
  /** `null` for a pending addition: they have not accepted it yet. */
  readonly joinedAt: Date | null;
  /** E-mail of the user who added or invited them; `null` for the first owner. */
  readonly addedBy: Email | null;
  /** True if they are a member and have ever had a token, by sign-up, login or an operator. */
  readonly isConfirmed: boolean;
}

/** The members of workspaces. They join by `TeamStore` of identity. */
export interface MemberStore {
  /** `null` when the user is not in the workspace. */
  find(workspaceId: number, userId: number): Promise<Member | null>;

  /**
   * Returns the roles of the users who are in the workspace, and locks them: until the surrounding unit of work ends,
   * these members can't be removed or get another role. Lock all users in one call: such calls never deadlock.
   */
  lockRoles(workspaceId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, Role>>;

  /** Ends a membership. The user's work stays in the workspace. Without effect when there is no such member. */
  remove(workspaceId: number, userId: number): Promise<void>;

  /** Without effect when there is no such member. */
  changeRole(workspaceId: number, userId: number, role: AssignableRole): Promise<void>;

  /** Makes a member the owner, and the owner an admin, at once. */
  transferOwnership(workspaceId: number, ownerId: number, heirId: number): Promise<void>;
}

export interface NewInvitation {
  readonly workspaceId: number;
  /** The user with this e-mail; `null` for an address without an account. */
  readonly userId: number | null;
  readonly email: Email;
  readonly role: AssignableRole;
  /** User id. */
  readonly invitedBy: number;
  readonly delivery: 'waiting' | 'limited';
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type InvitationsOf = { readonly email: Email } | { readonly userId: number } | { readonly invitedBy: number };

/**
 * Invitations to teams. An invitation of a user with an account is called a pending addition. An invitation is pending
 * until it is accepted, declined or revoked, it expires, or its inviter has none of the `INVITING_ROLES` in the team.
 */
export interface InvitationStore {
  /**
   * Adds an invitation, and revokes the pending invitation of the same address in the same team. After concurrent calls
   * for one address, one invitation is pending.
   */
  add(invitation: NewInvitation): Promise<PendingInvitation>;

  /**
   * Counts the invitations since `since` that were not `limited`. Others can't count for this address or this workspace
   * until the surrounding unit of work ends.
   */
  recentMails(invited: Pick<NewInvitation, 'workspaceId' | 'email'>, since: Date): Promise<RecentMails>;

  isPending(workspaceId: number, invitationId: number, now: Date): Promise<boolean>;

  /** Returns a pending invitation, and locks it until the surrounding unit of work ends. `null` when not found. */
  lock(workspaceId: number, invitationId: number, now: Date): Promise<PendingInvitation | null>;

  /**
   * The pending invitation of the user's e-mail with a valid token of this hash, whoever's without a user. `null` when not
   * found.
   */
  findByToken(hash: TokenHash, userId: number | null, now: Date): Promise<PendingInvitation | null>;

  /** Like `findByToken`, and locks it as `lock` does. */
  lockByToken(hash: TokenHash, userId: number, now: Date): Promise<PendingInvitation | null>;

  /** Saves the end of a locked invitation, and deletes its tokens. An answered one is its user's from then on. */
  end(invitation: EndedInvitation, answeredBy?: number): Promise<void>;

  /** Revokes the pending invitations of an address, of a user, or by an inviter. False when there were none. */
  revoke(workspaceId: number, which: InvitationsOf, now: Date): Promise<boolean>;

  /**
   * Adds the hash of a token to a pending invitation. The latest `MAX_TOKENS` stay valid, because their mails may have
   * arrived.
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
  /** `null` for a person who was erased. */
  readonly email: Email | null;
  /** `null` for a user who has left. */
  readonly role: Role | null;
  /** Credits reserved or charged. */
  readonly used: number;
  /** The number of generations that used these credits. */
  readonly generations: number;
}

export interface TeamUsage {
  readonly totalUsed: number;
  /** Most credits first. */
  readonly members: readonly MemberUsage[];
}

/** Reads of teams. Their cost does not depend on the number of generations. */
export interface TeamViews {
  /** The cost does not depend on the number of members. */
  overview(workspaceId: number, month: Month): Promise<TeamOverview>;

  /**
   * The credits used by each member, and by users who have left.
   *
   * @param onlyUserId the one user to return; `null` for all
   */
  usage(workspaceId: number, month: Month, onlyUserId: number | null): Promise<TeamUsage>;

  /**
   * Members and pending additions, newest first. A pending addition shows nothing of the user's account but the e-mail.
   */
  members(workspaceId: number, now: Date, page: PageRequest): Promise<Page<Member>>;

  /** Pending invitations, newest first. */
  invitations(workspaceId: number, now: Date, page: PageRequest): Promise<Page<PendingInvitation>>;
}
