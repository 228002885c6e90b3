import type { Month } from '#credits';
import type { Email, TokenHash } from '#identity';
import type { Page, PageRequest, Role } from '#kernel';
import type { EndedInvitation, PendingInvitation } from './domain/invitation.ts';
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
  /** Whether they are a member and have ever had a token: they signed up, logged in, or were given one. */
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
  /** The user to add, whose e-mail it is; `null` for an address without an account. */
  readonly userId: number | null;
  readonly email: Email;
  readonly role: AssignableRole;
  /** User who invites. */
  readonly invitedBy: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export type InvitationsOf = { readonly email: Email } | { readonly userId: number } | { readonly invitedBy: number };

/**
 * Invitations to teams, pending additions among them: those of a user who has an account. One is pending until it is
 * answered, revoked, or expires, and as long as its inviter has one of `INVITING_ROLES` in the team.
 */
export interface InvitationStore {
  /**
   * Adds one, and revokes the pending one for the same address in the same team. Of several concurrent calls for one
   * address, one invitation stays pending.
   */
  add(invitation: NewInvitation): Promise<PendingInvitation>;

  isPending(workspaceId: number, invitationId: number, now: Date): Promise<boolean>;

  /** Returns and locks a pending one until the surrounding unit of work ends; `null` when there is no such. */
  lock(workspaceId: number, invitationId: number, now: Date): Promise<PendingInvitation | null>;

  /** The pending one of the user's own e-mail that has a valid token with this hash; `null` when there is no such. */
  findByToken(hash: TokenHash, userId: number, now: Date): Promise<PendingInvitation | null>;

  /** Like `findByToken`, and locks it as `lock` does. */
  lockByToken(hash: TokenHash, userId: number, now: Date): Promise<PendingInvitation | null>;

  /** Saves the end of a locked one. Its tokens are deleted. */
  end(invitation: EndedInvitation): Promise<void>;

  /** Revokes the pending ones of an address, of a user to add, or by an inviter. False when there were none. */
  revoke(workspaceId: number, which: InvitationsOf, now: Date): Promise<boolean>;

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

/** The reads of a team. Each costs the same however many generations there were. */
export interface TeamViews {
  /** Costs the same however many members there are. */
  overview(workspaceId: number, month: Month): Promise<TeamOverview>;

  /**
   * The credits used by each member, and by users who have left.
   *
   * @param onlyUserId the one user to return; `null` for all
   */
  usage(workspaceId: number, month: Month, onlyUserId: number | null): Promise<TeamUsage>;

  /**
   * Members and pending additions by user, newest first. Nothing of a user's account but their e-mail, until they
   * accept.
   */
  members(workspaceId: number, now: Date, page: PageRequest): Promise<Page<Member>>;

  /** Pending invitations, newest first. */
  invitations(workspaceId: number, now: Date, page: PageRequest): Promise<Page<PendingInvitation>>;
}
