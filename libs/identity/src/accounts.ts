import type { AuditLog, AuditOrigin, SignInMethod } from '#audit-log';
import { DomainError, invalidField, type Clock, type Jobs, type UnitOfWork } from '#kernel';
import { emailOf, type Email } from './domain/email.ts';
import { nameOf } from './domain/name.ts';
import { chosenPassword, typedPassword, type PasswordHash } from './domain/password.ts';
import { FREE_PLAN } from './domain/plans.ts';
import { SecondFactorRequired, type LogInChallenge } from './domain/log-in-challenge.ts';
import { SIGN_IN_LINK_MINUTES } from './domain/sign-in-link.ts';
import type { Token } from './domain/token.ts';
import { WrongCode } from './domain/two-factor.ts';
import type { Account, Session, SessionRules } from './domain/user.ts';
import type { Confirmations } from './confirmations.ts';
import type { LogInChallenges } from './log-in-challenges.ts';
import type { AccountStore, OpenedAccount, Passwords, SessionClient } from './ports.ts';
import type { SignInLinks } from './sign-in-links.ts';
import type { Tokens } from './tokens.ts';
import type { TwoFactors } from './two-factors.ts';

/** Account-created hook of another subject; runs in the same unit of work. */
export type AccountHook = (account: OpenedAccount) => Promise<void>;

/**
 * Hashes a new password.
 *
 * @throws DomainError `validation_failed` when it is too short, too long, or too common
 */
export async function hashNewPassword(passwords: Passwords, text: string): Promise<PasswordHash> {
  const chosen = chosenPassword(text);
  if (passwords.isCommon(chosen))
    throw invalidField('password', 'is too common: choose a password that is hard to guess');
  return passwords.hash(chosen);
}

/** @throws DomainError `forbidden` when the operator has switched log-in by password off */
export function requirePasswordLogin({ passwordLogin }: Pick<SessionRules, 'passwordLogin'>): void {
  if (passwordLogin) return;
  throw new DomainError('forbidden', 'passwords are switched off: sign in by single sign-on');
}

const LINK_REFUSED =
  `the sign-in link is not valid: it was used once, is older than ${SIGN_IN_LINK_MINUTES} minutes, or works on the ` +
  'machine of the service only';

/** A log-in that was refused, with the address that was given. */
interface SignInFailure extends AuditOrigin {
  readonly email: string;
  /** In ISO 8601. */
  readonly at: string;
}

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Where the session is opened. */
  readonly client?: SessionClient | null;
}

export class Accounts {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'open' | 'find' | 'findByEmail' | 'lock'>;
      readonly auditLog: AuditLog;
      readonly challenges: LogInChallenges;
      readonly confirmations: Confirmations;
      readonly hooks: readonly AccountHook[];
      readonly jobs: Jobs;
      readonly links: SignInLinks;
      readonly passwords: Passwords;
      readonly rules: SessionRules;
      readonly tokens: Tokens;
      readonly twoFactors: Pick<TwoFactors, 'isOn' | 'checkCode' | 'useCode'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Opens an account with its personal workspace and runs all hooks, atomically.
   *
   * @throws DomainError `user_exists` when the e-mail is taken; `validation_failed`
   */
  async open(request: {
    readonly email: string;
    readonly name: string | null;
    readonly passwordHash: PasswordHash | null;
    /** True if an operator or an issuer vouches for the address (default false). */
    readonly emailVerified?: boolean;
  }): Promise<OpenedAccount> {
    const account = {
      email: emailOf(request.email),
      name: request.name === null ? null : nameOf(request.name),
      passwordHash: request.passwordHash,
      plan: FREE_PLAN,
      emailVerified: request.emailVerified ?? false,
      openedAt: this.deps.clock.now(),
    };
    return this.deps.unitOfWork.run(async () => {
      const opened = await this.deps.accounts.open(account);
      for (const hook of this.deps.hooks) await hook(opened);
      const { id } = opened.user;
      await this.deps.auditLog.record({ action: 'account.create', target: id, details: {}, userId: id });
      return opened;
    });
  }

  /**
   * Opens an account, issues its first token, and has a token mailed that verifies the address.
   *
   * @throws DomainError `forbidden` when sign-up or log-in by password is switched off; `user_exists`;
   * `validation_failed`
   */
  async signUp(request: Credentials & { readonly name: string | null }): Promise<Session> {
    requirePasswordLogin(this.deps.rules);
    if (!this.deps.rules.signUpEnabled) {
      throw new DomainError('forbidden', 'sign-up is switched off: ask the operator for an account');
    }
    // Before the unit of work, so that no connection is reserved while the password is hashed.
    const passwordHash = await hashNewPassword(this.deps.passwords, request.password);
    return this.deps.unitOfWork.run(async () => {
      const { user } = await this.open({ ...request, passwordHash });
      await this.deps.confirmations.start({ userId: user.id, purpose: 'email', email: user.email });
      return this.#session(user.id, 'sign_up', request.client ?? null);
    });
  }

  /**
   * Authenticates by e-mail and password. An unknown e-mail and a wrong password give the same error, after the same
   * time.
   *
   * @throws SecondFactorRequired when the password is right and two-factor is on
   * @throws DomainError `unauthenticated`; `validation_failed` when `email` is no e-mail address; `forbidden` when log-in
   * by password is switched off
   */
  async logIn({ email, password, client = null }: Credentials): Promise<Session> {
    requirePasswordLogin(this.deps.rules);
    const address = emailOf(email);
    const account = await this.deps.accounts.findByEmail(address);
    const hash = account?.passwordHash ?? null;
    const matches = await this.deps.passwords.verify(typedPassword(password), hash);
    if (!account || !matches) {
      await this.#announceFailure(address);
      throw wrongCredentials();
    }
    return opened(
      await this.deps.unitOfWork.run(async () => {
        const { passwordHash } = await this.#lock(account.id);
        if (passwordHash !== hash) throw wrongCredentials();
        return this.#sessionOrChallenge(account.id, 'password', client);
      }),
    );
  }

  /** A job records the failure, so that callers can't tell by the time whether there is an account. */
  #announceFailure(email: Email): Promise<void> {
    const payload = { email, at: this.deps.clock.now().toISOString(), ...this.deps.auditLog.origin() };
    return this.deps.jobs.announce({ name: 'sign_in.record_failure', payload, workspaceId: null });
  }

  /** The job of a failed log-in. */
  async recordFailure({ email, at, ...origin }: SignInFailure): Promise<void> {
    const account = await this.deps.accounts.findByEmail(emailOf(email));
    if (account) await this.#recordFailureOf(account.id, 'password', { at: new Date(at), origin });
  }

  #recordFailureOf(
    userId: number,
    by: 'password' | 'code',
    earlier: { readonly at?: Date; readonly origin?: AuditOrigin } = {},
  ): Promise<void> {
    const entry = { action: 'account.sign_in_failed', target: userId, details: { by }, userId, ...earlier } as const;
    return this.deps.unitOfWork.run(() => this.deps.auditLog.record(entry));
  }

  /**
   * Opens a session by a challenge and a code.
   *
   * @throws SecondFactorRequired when the code is wrong and the challenge has not ended
   * @throws DomainError `unauthenticated` when the challenge has ended; `rate_limited`; `unavailable`
   */
  async logInByCode(request: {
    readonly challenge: string;
    readonly code: string;
    readonly client?: SessionClient | null;
  }): Promise<Session> {
    const { challenge, code, client = null } = request;
    const userId = await this.deps.challenges.countTry(challenge);
    try {
      const checked = await this.deps.twoFactors.checkCode(userId, code);
      return await this.deps.unitOfWork.run(async () => {
        await this.#lock(userId);
        await this.deps.challenges.redeem(challenge);
        await this.deps.twoFactors.useCode(checked);
        return this.#session(userId, 'code', client);
      });
    } catch (error) {
      if (!(error instanceof WrongCode)) throw error;
      await this.#recordFailureOf(userId, 'code');
      throw new SecondFactorRequired(challenge, true);
    }
  }

  /**
   * Opens a session for the user of a token. The session ends with the token, but not the token with
   * the session.
   *
   * @throws DomainError `unauthenticated` when the token is malformed, unknown, expired or revoked
   */
  async logInByToken(secret: string, client: SessionClient | null = null): Promise<Session> {
    const found = await this.deps.tokens.find(secret);
    if (!found) throw new DomainError('unauthenticated', 'the token is not valid: it may have expired or been revoked');
    return this.deps.unitOfWork.run(() => this.#session(found.actor.userId, 'token', client, found.token));
  }

  /**
   * Opens a session for the user of a sign-in link, which then becomes invalid. A link replaces the password, not the
   * code; a link that is valid on the machine of the service only replaces both, as whoever has that machine has the
   * database too.
   *
   * @param isLocal whether the request comes from the machine of the service
   * @throws SecondFactorRequired when two-factor is on
   * @throws DomainError `unauthenticated` when the link is unknown, used, expired, or valid only for local requests
   */
  async logInByLink(secret: string, isLocal: boolean, client: SessionClient | null = null): Promise<Session> {
    return opened(
      await this.deps.unitOfWork.run(async () => {
        const link = await this.deps.links.redeem(secret, isLocal);
        if (!link) throw new DomainError('unauthenticated', LINK_REFUSED);
        if (link.isLocal) return this.#session(link.userId, 'link', client);
        await this.#lock(link.userId);
        return this.#sessionOrChallenge(link.userId, 'link', client);
      }),
    );
  }

  /** Opens a session for a user who is authenticated, in the surrounding unit of work. */
  openSession(userId: number, client: SessionClient): Promise<Session> {
    return this.#session(userId, 'sso', client);
  }

  /** Locks an account: what changes its password or two-factor meanwhile is seen, or ends the session. */
  async #lock(userId: number): Promise<Account> {
    const account = await this.deps.accounts.lock(userId);
    if (!account) throw new DomainError('unauthenticated', 'the account is gone');
    return account;
  }

  /** For a user who has proved the first factor and whose account is locked. */
  async #sessionOrChallenge(
    userId: number,
    by: SignInMethod,
    client: SessionClient | null,
  ): Promise<Session | LogInChallenge> {
    if (await this.deps.twoFactors.isOn(userId)) return this.deps.challenges.issue(userId);
    return this.#session(userId, by, client);
  }

  async #session(
    userId: number,
    by: SignInMethod,
    client: SessionClient | null,
    parent: Token | null = null,
  ): Promise<Session> {
    const kind = parent ? 'session' : 'log_in';
    const name = by === 'sign_up' ? 'sign-up' : 'log-in';
    const expiresInDays = this.deps.rules.tokenDays;
    const token = await this.deps.tokens.create({ userId, name, expiresInDays, kind, parent, client });
    const user = await this.deps.accounts.find(userId);
    if (!user) throw new DomainError('unauthenticated', 'the account is gone');
    await this.deps.auditLog.record({ action: 'account.sign_in', target: userId, details: { by }, userId });
    return { user, token };
  }
}

function wrongCredentials(): DomainError {
  return new DomainError('unauthenticated', 'the e-mail or the password is wrong');
}

/** After the unit of work, which has kept the challenge. @throws SecondFactorRequired */
function opened(result: Session | LogInChallenge): Session {
  if ('secret' in result) throw new SecondFactorRequired(result.secret, false);
  return result;
}
