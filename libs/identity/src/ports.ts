import type { Page, PageRequest, Role, Sealed } from '#kernel';
import type { Email } from './domain/email.ts';
import type { Claims, Identity } from './domain/identity.ts';
import type { Password, PasswordHash } from './domain/password.ts';
import type { Token, TokenBudget, TokenHash, TokenKind, TokenLimits, TokenSecret } from './domain/token.ts';
import type { Confirmation, ConfirmationPurpose } from './domain/confirmation.ts';
import type { CodeTries, RecoveryCode, RecoveryCodeHash, TotpCode, TwoFactor } from './domain/two-factor.ts';
import type { OpenIdChallenge } from './domain/sign-in-attempt.ts';
import type { Account, Actor, Profile, User } from './domain/user.ts';

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

  findByEmail(email: Email): Promise<Account | null>;

  find(userId: number): Promise<Profile | null>;

  /** Returns and locks an account until the surrounding unit of work ends; `null` when there is no such user. */
  lock(userId: number): Promise<Account | null>;

  /** Saves changes of a user. @throws DomainError `user_exists` when a new e-mail is taken */
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
  readonly isOperator?: boolean;
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

  /** Ends the user's confirmation of a purpose: its tokens become invalid. */
  cancel(userId: number, purpose: ConfirmationPurpose): Promise<void>;
}

/** Where a session was opened. */
export interface SessionClient {
  /** IP address. */
  readonly address: string | null;
  /** The header `User-Agent`. */
  readonly userAgent: string | null;
}

/** A log-in of a user, by password, link or token, as its owner sees it. */
export interface OpenSession extends SessionClient {
  /** Of the session's token. */
  readonly id: number;
  readonly createdAt: Date;
  /** Precise to a minute. */
  readonly lastUsedAt: Date | null;
}

/** Tokens of the kinds `log_in` and `session`. With `madeWith`, only that token and its descendants are found. */
export interface SessionStore {
  /** The sessions that have not expired at `now`, newest first, with the uses that this process has seen. */
  list(userId: number, now: Date, madeWith?: number | null): Promise<readonly OpenSession[]>;

  /** Ends a session and the tokens made in it. False when the user has no such session. */
  end(userId: number, sessionId: number, madeWith?: number | null): Promise<boolean>;

  /** Ends all sessions of a user, and all API tokens too if `apiTokens`, but for the token `except`. */
  endAll(
    userId: number,
    options: { readonly except: number | null; readonly apiTokens?: boolean; readonly madeWith?: number | null },
  ): Promise<void>;
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

export interface NewToken extends TokenLimits {
  readonly userId: number;
  readonly name: string;
  readonly kind: TokenKind;
  /** Another token of the user; this token ends with it. */
  readonly parentId: number | null;
  readonly hash: TokenHash;
  /** Of a session. */
  readonly client?: SessionClient | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** The tokens of users, identified by the hash of their secret. */
export interface TokenStore {
  /**
   * Returns the caller of a token, acting in their team if they belong to one, else in their personal workspace.
   * Returns `null` when no token has this hash, or the token has expired at `now`. Waits for no
   * other call. Its use is recorded within a minute.
   */
  authenticate(hash: TokenHash, now: Date): Promise<Actor | null>;

  /** Records the uses of tokens by this process now, such as when it stops. Uses that can't be recorded are lost. */
  recordUses(): Promise<void>;

  /**
   * The callers of these tokens by token id, as `authenticate` finds them at `now`; none for a token that has ended.
   * Joins the surrounding unit of work, locks nothing and records no use.
   */
  callers(tokenIds: readonly number[], now: Date): Promise<ReadonlyMap<number, Actor>>;

  /**
   * Adds a token and deletes the user's tokens that have expired by its creation. A user's first token confirms their
   * account.
   *
   * @throws DomainError `unauthenticated` when the parent has ended
   */
  add(token: NewToken): Promise<Token>;

  find(tokenId: number): Promise<Token | null>;

  /** The budgets that count what is spent with a token: its own, and of all tokens it was made with at any remove. */
  budgets(tokenId: number): Promise<readonly TokenBudget[]>;

  /** The token, or for a session the token at the start of its chain of sessions. */
  actsFor(tokenId: number): Promise<Token | null>;

  /**
   * A user's tokens, including expired ones, newest first; their last use includes unrecorded uses by this process.
   *
   * @param madeWith lists only this token and its descendants; `null` for all, as by default
   */
  list(userId: number, page: PageRequest, madeWith?: number | null): Promise<Page<Token>>;

  /**
   * Deletes a token and its descendants. False when the user has no such token.
   *
   * @param madeWith deletes only this token or one of its descendants; `null` for any, as by default
   */
  revoke(userId: number, tokenId: number, madeWith?: number | null): Promise<boolean>;
}

export interface NewSignInLink {
  readonly userId: number;
  readonly hash: TokenHash;
  /** Whether the link is valid only on the machine of the service. */
  readonly isLocal: boolean;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface RedeemedLink {
  readonly userId: number;
  /** Whether the link is valid only on the machine of the service. */
  readonly isLocal: boolean;
}

/** Sign-in links, identified by the hash of their secret. */
export interface SignInLinkStore {
  /** Adds a link, and deletes all that have expired by its creation. */
  add(link: NewSignInLink): Promise<void>;

  /**
   * Marks a link as used. Of several concurrent calls for one link, one succeeds.
   *
   * @param request.isLocal whether the request comes from the machine of the service; others can't use local links
   * @returns `null` when the link is unknown, used, expired at `now`, or local and the request is not
   */
  redeem(hash: TokenHash, request: { readonly isLocal: boolean; readonly now: Date }): Promise<RedeemedLink | null>;
}

/** Two-factor of users: at most one each. */
export interface TwoFactorStore {
  isOn(userId: number): Promise<boolean>;

  /** Adds a pending one, or replaces the pending one of before. False when it is on. */
  start(userId: number, secret: Sealed, now: Date): Promise<boolean>;

  /** Returns it and locks it until the surrounding unit of work ends; `null` when it is off. */
  lock(userId: number): Promise<TwoFactor | null>;

  saveTries(userId: number, tries: CodeTries): Promise<void>;

  /** Turns it on, and accepts the step. False unless it is pending, with this secret. */
  confirm(request: {
    readonly userId: number;
    readonly secret: Sealed;
    readonly step: number;
    readonly now: Date;
  }): Promise<boolean>;

  /**
   * Accepts the code of a time step, and forgets failed tries. Of several concurrent calls for one step, one succeeds.
   * False when it is not on, or has accepted this step or a later one.
   */
  acceptStep(userId: number, step: number): Promise<boolean>;

  /** Turns it off, pending or on, and deletes its recovery codes. False when it was off. */
  remove(userId: number): Promise<boolean>;
}

/** The recovery codes of two-factor, identified by their hashes. */
export interface RecoveryCodeStore {
  /** Deletes the codes of before. */
  replace(userId: number, hashes: readonly RecoveryCodeHash[]): Promise<void>;

  /** Deletes a code. Of several concurrent calls for one code, one succeeds. False when there is no such code. */
  use(userId: number, hash: RecoveryCodeHash): Promise<boolean>;
}

export interface NewLogInChallenge {
  readonly userId: number;
  readonly hash: TokenHash;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Challenges of log-ins that need a code, identified by the hash of their secret. */
export interface LogInChallengeStore {
  /** Adds a challenge, and deletes all that have expired by its creation. */
  add(challenge: NewLogInChallenge): Promise<void>;

  /**
   * Counts a try. Of any number of concurrent calls, `maxTries` succeed.
   *
   * @returns the user; `null` when it is unknown, has no tries left, or has expired at `now`
   */
  countTry(hash: TokenHash, limits: { readonly maxTries: number; readonly now: Date }): Promise<number | null>;

  /** Deletes a challenge. Of several concurrent calls, one succeeds; false for the others. */
  redeem(hash: TokenHash): Promise<boolean>;

  /** Deletes all challenges of a user. */
  endAll(userId: number): Promise<void>;
}

/** What an authenticator app needs. */
export interface Enrolment {
  /** In base32, for typing. */
  readonly secret: string;
  /** An `otpauth:` URL. */
  readonly url: string;
  /** The URL as a QR code, in SVG. */
  readonly qrCode: string;
}

/** Time-based codes (RFC 6238: SHA-1, six digits, 30 seconds), and recovery codes. */
export interface OneTimeCodes {
  /** 160 bits from a source that can't be predicted. */
  createSecret(): Uint8Array;

  enrolmentOf(secret: Uint8Array, email: Email): Promise<Enrolment>;

  /**
   * The time step of a code, of the step at `now`, the one before and the one after; `null` for a wrong code. Codes are
   * compared in constant time.
   */
  stepOf(code: TotpCode, secret: Uint8Array, now: Date): Promise<number | null>;

  /** From a source that can't be predicted. */
  createRecoveryCode(): RecoveryCode;

  /** The same hash for the same code, always. */
  hashRecoveryCode(code: RecoveryCode): RecoveryCodeHash;
}

/** The issuer of OpenID Connect that the operator has chosen. */
export interface OpenIdProvider {
  /**
   * Begins a sign-in by authorization code with PKCE.
   *
   * @returns the issuer's page, and what the issuer's response is checked with
   * @throws SignInRefused `sso_unavailable`
   */
  begin(): Promise<{ readonly url: string; readonly challenge: OpenIdChallenge }>;

  /**
   * Redeems the code of the issuer's response.
   *
   * @param response query string of the callback
   * @throws SignInRefused `sso_denied`, `sso_invalid`, `sso_unavailable`
   */
  complete(response: string, challenge: OpenIdChallenge): Promise<Claims>;
}

export type NewIdentity = Omit<Identity, 'id'>;

/** Identities by issuer and subject. */
export interface IdentityStore {
  find(issuer: string, subject: string): Promise<Identity | null>;

  /** Links an identity. Of several concurrent calls for one, one succeeds; false when it is linked, to any user. */
  add(identity: NewIdentity): Promise<boolean>;

  /** Oldest first. */
  list(userId: number): Promise<readonly Identity[]>;

  /** Unlinks an identity. False when the user has no such identity. */
  remove(userId: number, id: number): Promise<boolean>;

  removeAll(userId: number): Promise<void>;
}

export interface NewTeam {
  readonly ownerUserId: number;
  readonly plan: string;
  readonly openedAt: Date;
}

export interface NewMember {
  /** The team's. */
  readonly workspaceId: number;
  readonly userId: number;
  /** A team gets its owner when it is opened, and always has exactly one. */
  readonly role: Exclude<Role, 'owner'>;
  /** The user who added or invited them. */
  readonly addedBy: number;
  readonly joinedAt: Date;
}

/** Workspaces that several users share. A user belongs to at most one, and acts in it as long as they do. */
export interface TeamStore {
  /**
   * @returns the new workspace's id
   * @throws DomainError `in_other_team` when the owner belongs to a team; `not_found` when there is no such user
   */
  open(team: NewTeam): Promise<number>;

  /**
   * Makes a user a member. Of several concurrent calls for one user, for any teams, one succeeds.
   *
   * @throws DomainError `already_member`; `in_other_team`; `not_found` when there is no such team or user
   */
  join(member: NewMember): Promise<void>;

  /** @throws DomainError `already_member`; `in_other_team`, when the user belongs to a team now */
  requireFree(userId: number, workspaceId: number): Promise<void>;

  /** Changes the plan of a workspace, team or personal. */
  changePlan(workspaceId: number, plan: string): Promise<void>;
}

/** A user, and the workspace in which they act now. */
export interface DirectoryUser extends User {
  readonly createdAt: Date;
  readonly workspaceId: number;
  readonly plan: string;
  readonly isTeam: boolean;
  readonly role: Role;
}

export interface DirectoryWorkspace {
  readonly id: number;
  readonly isTeam: boolean;
  readonly plan: string;
  readonly owner: Email;
  readonly members: number;
  readonly createdAt: Date;
}

/** The operator's view of the accounts of all workspaces. */
export interface Directory {
  /** Users, newest first; with `search`, only users whose e-mail contains it. */
  users(page: PageRequest, search: string | null): Promise<Page<DirectoryUser>>;

  userByEmail(email: Email): Promise<DirectoryUser | null>;

  /** Team workspaces, newest first. */
  teams(page: PageRequest): Promise<Page<DirectoryWorkspace>>;

  workspace(id: number): Promise<DirectoryWorkspace | null>;
}

/** A slow password hash. The number of concurrent computations is bounded; further calls are queued. */
export interface Passwords {
  /** Whether the password is on a list of common passwords, ignoring case. */
  isCommon(password: Password): boolean;

  /** Returns a different hash each time, also for the same password. */
  hash(password: Password): Promise<PasswordHash>;

  /**
   * Whether `hash` was made of `password`. With `null` (no such account, or no password) the result is false, after
   * the same time as for a wrong password.
   */
  verify(password: Password, hash: PasswordHash | null): Promise<boolean>;
}

/** The source of token secrets. */
export interface TokenSecrets {
  /** A new secret, of 256 bits from a source that can't be predicted. */
  create(): TokenSecret;

  /** The same hash for the same secret, always. */
  hash(secret: TokenSecret): TokenHash;
}
