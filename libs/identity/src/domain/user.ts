import type { Email } from './email.ts';
import type { PasswordHash } from './password.ts';

export interface User {
  readonly id: number;
  readonly email: Email;
  readonly name: string | null;
}

/** A user with what is needed to check that it is them; without a password nobody can log in. */
export interface Account extends User {
  readonly passwordHash: PasswordHash | null;
}
