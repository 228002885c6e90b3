import type { Email, TokenHash } from '#identity';
import type { Page, PageRequest } from '#kernel';
import type { InvitationLetter } from '../domain/invitation-mail.ts';
import type { Invitation, InvitationAnswer } from '../domain/invitation.ts';
import type { AssignableRole } from '../domain/roles.ts';

export interface NewInvitation {
  readonly workspaceId: number;
  readonly email: Email;
  readonly role: AssignableRole;
  /** User who invites. */
  readonly invitedBy: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface AnsweredInvitation {
  readonly workspaceId: number;
  readonly role: AssignableRole;
  /** User who invited. */
  readonly invitedBy: number;
  /** E-mail of the team's owner. */
  readonly owner: Email;
}

/** Invitations into teams. One is pending until it is answered or revoked, or its time is over. */
export interface Invitations {
  /**
   * Adds one, and revokes the pending one for the same address in the same team. However many are added at once, one
   * stays pending.
   */
  add(invitation: NewInvitation): Promise<Invitation>;

  /** Those pending, newest first. */
  list(workspaceId: number, now: Date, page: PageRequest): Promise<Page<Invitation>>;

  isPending(workspaceId: number, invitationId: number, now: Date): Promise<boolean>;

  /** Ends a pending one; false, without effect, when there is no such. */
  revoke(workspaceId: number, invitationId: number, now: Date): Promise<boolean>;

  /** Revokes the pending one for an address, if there is any. */
  revokeFor(workspaceId: number, email: Email, now: Date): Promise<void>;

  /**
   * Makes the token with this hash good for a pending invitation. Earlier ones stay good, the latest hundred of them:
   * their mails may have arrived.
   *
   * @returns what the mail has to say; `null`, without effect, when the invitation is not pending
   */
  issueToken(invitationId: number, hash: TokenHash, now: Date): Promise<InvitationLetter | null>;

  recordDelivery(invitationId: number, delivery: 'sent' | 'refused'): Promise<void>;

  /**
   * Ends a pending one with the answer of the invited user. Of several answers and a revocation, however many come at
   * once, one has an effect.
   *
   * @returns `null`, without effect, when no pending invitation of the user's own address has a token with this hash
   */
  answer(
    hash: TokenHash,
    userId: number,
    answer: InvitationAnswer,
    now: Date,
  ): Promise<AnsweredInvitation | null>;
}
