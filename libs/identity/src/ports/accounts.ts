import type { Email } from '../domain/email.ts';
import type { PasswordHash } from '../domain/password.ts';
import type { Account, User } from '../domain/user.ts';

export interface NewAccount {
  readonly email: Email;
  readonly name: string | null;
  readonly passwordHash: PasswordHash | null;
  /** Of the personal workspace. */
  readonly plan: string;
  readonly openedAt: Date;
}

export interface OpenedAccount {
  readonly user: User;
  /** The personal workspace. */
  readonly workspaceId: number;
}

/** Users, each with the personal workspace that they own. */
export interface Accounts {
  /**
   * Adds a user together with their personal workspace. Of several calls with one e-mail, however many run at
   * once, one succeeds.
   *
   * @throws DomainError `user_exists` when the e-mail is taken
   */
  open(account: NewAccount): Promise<OpenedAccount>;

  findByEmail(email: Email): Promise<Account | null>;

  find(userId: number): Promise<User | null>;
}
