import { DomainError } from '#kernel';

/**
 * The operations that an account may call before its e-mail address is verified, where the operator requires that: it
 * can read itself, verify its address, sign out, and answer invitations to that address.
 */
const FOR_UNVERIFIED: ReadonlySet<string> = new Set([
  'auth.me',
  'auth.email.update',
  'auth.email.resend',
  'auth.session.delete',
  'auth.sessions.list',
  'team.invitations.read',
  'team.invitations.respond',
]);

/** Reports whether an operation, by its id, is for accounts with a verified address only. */
export function needsVerifiedEmail(operation: string): boolean {
  return !FOR_UNVERIFIED.has(operation);
}

/** @throws DomainError `email_unverified` */
export function assertVerified(emailVerified: boolean): void {
  if (!emailVerified) {
    throw new DomainError('email_unverified', 'confirm your e-mail address first: its mail can be sent again');
  }
}
