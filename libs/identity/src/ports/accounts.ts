import type { Metadata } from '#kernel';
import type { Email } from '../domain/email.ts';
import type { Password, PasswordHash } from '../domain/password.ts';
import type { TokenHash } from '../domain/token.ts';
import type { Confirmation, ConfirmationPurpose } from '../domain/confirmation.ts';
import type { OperatorGrant } from '../domain/operator.ts';
import type { Account, Profile, User } from '../domain/user.ts';

export interface NewAccount {
  readonly email: Email;
  readonly name: string | null;
  readonly passwordHash: PasswordHash | null;
  /** Plan of the personal workspace. */
  readonly plan: string;
  readonly emailVerified?: boolean;
  readonly openedAt: Date;
}

export interface OpenedAccount {
  readonly user: User;
  /** The personal workspace. */
  readonly workspaceId: number;
}

/** Users, each with the personal workspace that they own. */
export interface AccountStore {
  /**
   * Adds a user and their personal workspace. Of several concurrent calls with one e-mail, one succeeds.
   *
   * @throws DomainError `user_exists` when the e-mail is taken
   */
  open(account: NewAccount): Promise<OpenedAccount>;

  /**
   * Adds a service account, which owns a workspace without a person: nobody can sign in to it, its address cannot exist, and
   * it has no personal workspace.
   *
   * @returns its id
   */
  openService(openedAt: Date): Promise<number>;

  /** The account of a person: `null` for a service account. */
  findByEmail(email: Email): Promise<Account | null>;

  find(userId: number): Promise<Profile | null>;

  /** Returns and locks an account until the surrounding unit of work ends; `null` when there is no such user. */
  lock(userId: number): Promise<Account | null>;

  /** Returns and locks the users who are operators, by id, until the surrounding unit of work ends. */
  lockOperators(): Promise<readonly number[]>;

  /** Saves changes of a user. @throws DomainError `user_exists` when a new e-mail is taken; `conflict` for an external id */
  update(userId: number, changes: AccountChanges): Promise<void>;
}

/** Absent properties stay as they are. */
export interface AccountChanges {
  readonly name?: string | null;
  readonly avatarFileId?: number | null;
  /** `null` removes the password. */
  readonly passwordHash?: PasswordHash | null;
  readonly email?: Email;
  /** When the user proved that the e-mail is theirs. */
  readonly emailVerifiedAt?: Date;
  /** Name of the user in the application of an operator; `null` removes it. */
  readonly externalId?: string | null;
  /** `null` for a user who is no operator any more. */
  readonly operatorBy?: OperatorGrant | null;
}

export type NewConfirmation = Omit<Confirmation, 'id'>;

/** Confirmations that wait for a mailed token. */
export interface ConfirmationStore {
  /** Adds a confirmation in place of the user's earlier one of its purpose, whose tokens become invalid. */
  replace(confirmation: NewConfirmation): Promise<Confirmation>;

  /** Adds a token to a confirmation that waits at `now`; `null` when there is none. */
  addToken(id: number, hash: TokenHash, now: Date): Promise<Confirmation | null>;

  /** Ends the confirmation with this token. Of several concurrent calls, one gets it; `null` for the others. */
  redeem(purpose: ConfirmationPurpose, hash: TokenHash, now: Date): Promise<Confirmation | null>;

  /** Ends the user's confirmation of a purpose, unless it is of the address `except`: its tokens become invalid. */
  cancel(userId: number, purpose: ConfirmationPurpose, except?: Email): Promise<void>;
}

/** The files of avatars. */
export interface AvatarFiles {
  /**
   * Resolves a stored URL in the surrounding unit of work, in which its file can't be deleted.
   *
   * @returns `null` when the URL is not a stored URL
   * @throws DomainError `not_found`, `file_expired`
   */
  resolve(request: { readonly workspaceId: number; readonly url: string }): Promise<AvatarFile | null>;
}

export interface AvatarFile {
  readonly id: number;
  readonly contentType: string;
}

/** A slow password hash. The number of concurrent computations is bounded; further calls are queued. */
export interface Passwords {
  /** Reports whether the password is on a list of common passwords, ignoring case. */
  isCommon(password: Password): boolean;

  /** Returns a different hash each time, also for the same password. */
  hash(password: Password): Promise<PasswordHash>;

  /**
   * Reports whether `hash` was made of `password`. With `null` (no such account, or no password) the result is false,
   * after the same time as for a wrong password.
   */
  verify(password: Password, hash: PasswordHash | null): Promise<boolean>;
}

/** Settings that clients keep for users. */
export interface PreferenceStore {
  /** Empty for a user without any. */
  read(userId: number): Promise<Metadata>;

  /** As `read`, locked until the surrounding unit of work ends, so that no change is lost. */
  lock(userId: number): Promise<Metadata>;

  /** Saves locked preferences. */
  save(userId: number, preferences: Metadata): Promise<void>;
}
