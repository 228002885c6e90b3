import { permissionOf, type Email } from '#identity';
import { rolesFrom, type Role } from '#kernel';
import type { AssignableRole } from './team.ts';

/** The part of a user that others may see. */
export interface Person {
  readonly email: Email;
  readonly name: string | null;
}

/**
 * The state of the mail with the token. `refused`: no server accepts mail for this address. `limited`: none is sent, as
 * too many were mailed before.
 */
export const DELIVERIES = ['waiting', 'sent', 'refused', 'limited'] as const;

export type Delivery = (typeof DELIVERIES)[number];

interface InvitationFacts {
  readonly id: number;
  /** The team. */
  readonly workspaceId: number;
  readonly email: Email;
  readonly role: AssignableRole;
  readonly inviter: Person & { readonly userId: number };
  /** The owner of the team: a team has no name. */
  readonly owner: Person;
  /** Plan of the team. */
  readonly plan: string;
  readonly delivery: Delivery;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Can be accepted or declined until it expires. */
export interface PendingInvitation extends InvitationFacts {
  readonly state: 'pending';
}

interface Ended<State> extends InvitationFacts {
  readonly state: State;
  readonly endedAt: Date;
}

export type AcceptedInvitation = Ended<'accepted'>;
export type DeclinedInvitation = Ended<'declined'>;
export type RevokedInvitation = Ended<'revoked'>;
export type EndedInvitation = AcceptedInvitation | DeclinedInvitation | RevokedInvitation;

const ending =
  <State extends EndedInvitation['state']>(state: State) =>
  (pending: PendingInvitation, endedAt: Date): Ended<State> => ({ ...pending, state, endedAt });

/** The invited user becomes a member. */
export const accept = ending('accepted');
export const decline = ending('declined');
/** Ends an invitation by the team, or by a newer invitation to the same address. */
export const revoke = ending('revoked');

/** The roles that may invite. An invitation ends when its inviter no longer has one of them in the team. */
export const INVITING_ROLES: readonly Role[] = rolesFrom(permissionOf('team.invite').least);

/** Invitations mailed within `MAILS_WINDOW_MS`. */
export interface RecentMails {
  /** By all workspaces. */
  readonly toAddress: number;
  readonly ofWorkspace: number;
}

export const MAILS_WINDOW_MS = 3_600_000;
const MAX_MAILS_TO_ADDRESS = 3;
const MAX_MAILS_OF_WORKSPACE = 100;

/** A new invitation is mailed unless its address or its workspace has had too many mails in the last hour. */
export function firstDelivery({ toAddress, ofWorkspace }: RecentMails): 'waiting' | 'limited' {
  return toAddress < MAX_MAILS_TO_ADDRESS && ofWorkspace < MAX_MAILS_OF_WORKSPACE ? 'waiting' : 'limited';
}

const INVITATION_DAYS = 7;

/** Maximum valid tokens of an invitation: older tokens are dropped. */
export const MAX_TOKENS = 100;

export function invitationExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + INVITATION_DAYS * 86_400_000);
}
