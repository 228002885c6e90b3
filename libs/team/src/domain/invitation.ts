import type { Email } from '#identity';
import type { AssignableRole } from './roles.ts';

/**
 * An invitation that waits for its answer. It ends once: accepted or declined by the invited user, revoked by the team
 * (a newer invitation of the same address revokes it too), or when its time is over.
 */
export interface Invitation {
  readonly id: number;
  /** The team's. */
  readonly workspaceId: number;
  readonly email: Email;
  readonly role: AssignableRole;
  /** E-mail of who invited. */
  readonly invitedBy: Email;
  /** Of the mail that carries the token: refused means that no server will ever take it for this address. */
  readonly delivery: 'waiting' | 'sent' | 'refused';
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export const INVITATION_ANSWERS = ['accepted', 'declined'] as const;
export type InvitationAnswer = (typeof INVITATION_ANSWERS)[number];

const INVITATION_DAYS = 7;

/** Of the tokens mailed for one invitation, so many stay good, the latest. */
export const KEPT_TOKENS = 100;

export function invitationExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + INVITATION_DAYS * 86_400_000);
}
