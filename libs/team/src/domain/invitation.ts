import { permissionOf, type Email } from '#identity';
import { rolesFrom, type Role } from '#kernel';
import type { AssignableRole } from './team.ts';

/** A user as others see them. */
export interface Person {
  readonly email: Email;
  readonly name: string | null;
}

interface InvitationFacts {
  readonly id: number;
  /** The team's. */
  readonly workspaceId: number;
  readonly email: Email;
  readonly role: AssignableRole;
  readonly inviter: Person & { readonly userId: number };
  /** Of the team: it has no name. */
  readonly owner: Person;
  /** Plan of the team. */
  readonly plan: string;
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

export type AnsweredInvitation = Ended<'accepted'> | Ended<'declined'>;
export type EndedInvitation = AnsweredInvitation | Ended<'revoked'>;

const ending =
  <State extends EndedInvitation['state']>(state: State) =>
  (pending: PendingInvitation, endedAt: Date): Ended<State> => ({ ...pending, state, endedAt });

/** The invited user becomes a member. */
export const accept = ending('accepted');
export const decline = ending('declined');
/** Ended by the team, or by a newer invitation of the same address. */
export const revoke = ending('revoked');

/** An invitation ends with its inviter's right to make it: when they have none of these roles in the team any more. */
export const INVITING_ROLES: readonly Role[] = rolesFrom(permissionOf('team.invite').least);

const INVITATION_DAYS = 7;

/** The number of an invitation's latest tokens that are valid. */
export const KEPT_TOKENS = 100;

export function invitationExpiry(createdAt: Date): Date {
  return new Date(createdAt.getTime() + INVITATION_DAYS * 86_400_000);
}
