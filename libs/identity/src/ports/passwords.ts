import type { Password, PasswordHash } from '../domain/password.ts';

/** Hashing passwords, slowly. Only so many at once: beyond that, calls wait their turn. */
export interface Passwords {
  /** Another hash each time, for the same password too. */
  hash(password: Password): Promise<PasswordHash>;

  /**
   * Whether `hash` was made of `password`. With `null` (nobody has that account, or it has no password) the
   * answer is false, after the same time as for a wrong password.
   */
  verify(password: Password, hash: PasswordHash | null): Promise<boolean>;
}
