import type { Email } from './email.ts';

/** A token by mail that proves access to the mailbox: for a new password, or to confirm an e-mail address. */
export const CONFIRMATION_PURPOSES = ['password_reset', 'email'] as const;
export type ConfirmationPurpose = (typeof CONFIRMATION_PURPOSES)[number];

/**
 * An account waits for its owner to use a token that was mailed to `email`. Each user has at most one confirmation of a
 * purpose: a newer one replaces it. Its tokens work once, and none works after it.
 */
export interface Confirmation {
  readonly id: number;
  readonly userId: number;
  readonly purpose: ConfirmationPurpose;
  /** Where the token is mailed, and the address that using it verifies. */
  readonly email: Email;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const LIFETIME_HOURS: Readonly<Record<ConfirmationPurpose, number>> = { password_reset: 1, email: 24 };

export function confirmationExpiry(purpose: ConfirmationPurpose, createdAt: Date): Date {
  return new Date(createdAt.getTime() + LIFETIME_HOURS[purpose] * 3_600_000);
}

/** The number of latest tokens of a confirmation that are valid: a mail that was sent twice has two. */
export const CONFIRMATION_TOKENS = 5;
