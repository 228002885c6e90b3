import type { Email } from '#identity';
import type { AssignableRole } from './team.ts';

interface InvitationFacts {
  readonly id: number;
  /** The team's. */
  readonly workspaceId: number;
  readonly email: Email;
  readonly role: AssignableRole;
  readonly inviter: { readonly userId: number; readonly email: Email; readonly name: string | null };
  /** E-mail of the team's owner: teams have no name. */
  readonly owner: Email;
  /** Of the mail with the token. `refused`: no server accepts mail for this address. */
  readonly delivery: 'waiting' | 'sent' | 'refused';
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** It can be answered until it expires. */
export interface PendingInvitation extends InvitationFacts {
  readonly state: 'pending';
}

interface Ended<State> extends InvitationFacts {
  readonly state: State;
  readonly endedAt: Date;
}

/** The invited user became a member. */
export type AcceptedInvitation = Ended<'accepted'>;
export type DeclinedInvitation = Ended<'declined'>;
/** Ended by the team, or by a newer invitation of the same address. */
export type RevokedInvitation = Ended<'revoked'>;

export type AnsweredInvitation = AcceptedInvitation | DeclinedInvitation;
export type EndedInvitation = AnsweredInvitation | RevokedInvitation;
export type Invitation = PendingInvitation | EndedInvitation;

export const accept = (pending: PendingInvitation, endedAt: Date): AcceptedInvitation => ({
  ...pending,
  state: 'accepted',
  endedAt,
});

export const decline = (pending: PendingInvitation, endedAt: Date): DeclinedInvitation => ({
  ...pending,
  state: 'declined',
  endedAt,
});

export const revoke = (pending: PendingInvitation, endedAt: Date): RevokedInvitation => ({
  ...pending,
  state: 'revoked',
  endedAt,
});

const INVITATION_DAYS = 7;

/** The number of an invitation's latest tokens that are valid. */
export const KEPT_TOKENS = 100;

export function invitationExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + INVITATION_DAYS * 86_400_000);
}
