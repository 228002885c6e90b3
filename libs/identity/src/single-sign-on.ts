import type { AuditLog } from '#audit-log';
import { DomainError, notFound, type Clock, type Sealed, type Sealer, type UnitOfWork } from '#kernel';
import type { Accounts } from './accounts.ts';
import type { Confirmations } from './confirmations.ts';
import { decideSignIn, mayUnlink, type Claims, type SignInRefusal, type SingleSignOnRules } from './domain/identity.ts';
import { attemptContext, returnPathOf, SIGN_IN_ATTEMPT_MINUTES, type SignInAttempt } from './domain/sign-in-attempt.ts';
import type { Email } from './domain/email.ts';
import type { Account, Actor, Session } from './domain/user.ts';
import type { Gate } from './gate.ts';
import type { Operators } from './operators.ts';
import type { AccountStore, IdentityStore, OpenIdProvider, SessionClient } from './ports.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { TakeOvers } from './take-overs.ts';

/** A sign-in at the issuer that signed in nobody here. */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused';
  readonly reason: SignInRefusal;
  /** Path of the console from which the person began to link an identity; `null` for a sign-in. */
  readonly returnTo: string | null;

  constructor(reason: SignInRefusal, options: ErrorOptions & { readonly returnTo?: string } = {}) {
    super(reason, options);
    this.reason = reason;
    this.returnTo = options.returnTo ?? null;
  }
}

/** An attempt for the browser that began it. */
export interface StartedAttempt {
  /** The issuer's page. */
  readonly url: string;
  readonly state: string;
  readonly sealed: Sealed;
  readonly expiresAt: Date;
}

/** Single sign-on by OpenID Connect. */
export class SingleSignOn {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<Accounts, 'open' | 'openSession'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly store: Pick<AccountStore, 'findByEmail' | 'lock' | 'update'>;
      readonly confirmations: Confirmations;
      readonly gate: Pick<Gate, 'stillActing'>;
      readonly identities: IdentityStore;
      readonly operators: Pick<Operators, 'follow'>;
      /** `null` where the operator has set no issuer. */
      readonly provider: OpenIdProvider | null;
      readonly reauthentication: Reauthentication;
      readonly rules: SingleSignOnRules;
      readonly sealer: Sealer;
      readonly takeOvers: Pick<TakeOvers, 'run'>;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Begins a sign-in.
   *
   * @param returnTo path of the console
   * @throws SignInRefused; DomainError `validation_failed`; `not_found` where the operator has set no issuer
   */
  start(returnTo: string): Promise<StartedAttempt> {
    return this.#begin(returnPathOf(returnTo), null);
  }

  /**
   * Begins to link an identity to the caller's account. Whoever has linked one can sign in: that needs the password.
   *
   * @param request.password `null` for an account without one, whose session must be at most ten minutes old
   * @throws SignInRefused; DomainError `validation_failed`, `forbidden`; `not_found` where the operator has set no issuer
   */
  async startLink(
    actor: Actor,
    request: { readonly password: string | null; readonly returnTo: string },
  ): Promise<StartedAttempt> {
    const returnTo = returnPathOf(request.returnTo);
    await this.deps.reauthentication.require(actor, request.password);
    return this.#begin(returnTo, actor);
  }

  /**
   * Ends an attempt by the issuer's response.
   *
   * @param request.sealed the attempt that this browser has for the state of the response; `null` without one
   * @returns the new session; `null` after linking, when the caller has one
   * @throws SignInRefused
   */
  async complete(request: {
    readonly response: string;
    readonly state: string;
    readonly sealed: string | null;
    readonly client: SessionClient;
  }): Promise<{ readonly returnTo: string; readonly session: Session | null }> {
    const attempt = this.#open(request.state, request.sealed);
    const { linkTo, returnTo } = attempt;
    try {
      const claims = await this.#provider().complete(request.response, attempt);
      if (!linkTo) return { returnTo, session: await this.#signIn(claims, request.client) };
      await this.deps.unitOfWork.run(() => this.#link(claims, linkTo));
      return { returnTo, session: null };
    } catch (error) {
      if (!linkTo || !(error instanceof SignInRefused)) throw error;
      throw new SignInRefused(error.reason, { returnTo, cause: error.cause });
    }
  }

  /** Unlinks an identity of the caller. @throws DomainError `not_found`; `conflict` for the last way in */
  async unlink({ userId }: Actor, identityId: number): Promise<void> {
    await this.deps.unitOfWork.run(async () => {
      const account = await this.deps.store.lock(userId);
      if (!account || !(await this.deps.identities.remove(userId, identityId))) throw notFound('identity');
      await this.deps.auditLog.record({ action: 'account.identity_unlink', target: userId, details: {} });
      // The claim may have been of this identity; the next sign-in by another one decides.
      await this.deps.operators.follow(account, false);
      const identities = await this.deps.identities.list(userId);
      if (mayUnlink({ identities, hasPassword: account.hasPassword }, this.deps.rules)) return;
      const remedy = this.deps.rules.passwordLogin ? 'set a password' : 'link another identity';
      throw new DomainError('conflict', `this is the last way in to your account: ${remedy} first`);
    });
  }

  async #begin(returnTo: string, linkTo: SignInAttempt['linkTo']): Promise<StartedAttempt> {
    const { url, challenge } = await this.#provider().begin();
    const expiresAt = this.deps.clock.now().getTime() + SIGN_IN_ATTEMPT_MINUTES * 60_000;
    const attempt: SignInAttempt = { ...challenge, returnTo, linkTo, expiresAt };
    const { state } = challenge;
    const sealed = this.deps.sealer.seal(Buffer.from(JSON.stringify(attempt)), attemptContext(state));
    return { url, state, sealed, expiresAt: new Date(expiresAt) };
  }

  #open(state: string, sealed: string | null): SignInAttempt {
    if (sealed === null) throw new SignInRefused('sso_expired');
    try {
      const bytes = this.deps.sealer.open(sealed as Sealed, attemptContext(state));
      const attempt = JSON.parse(Buffer.from(bytes).toString()) as SignInAttempt;
      if (attempt.expiresAt > this.deps.clock.now().getTime()) return attempt;
    } catch (cause) {
      throw new SignInRefused('sso_expired', { cause });
    }
    throw new SignInRefused('sso_expired');
  }

  #provider(): OpenIdProvider {
    if (!this.deps.provider) throw notFound('single sign-on here: the operator has set no OIDC_ISSUER');
    return this.deps.provider;
  }

  /** A second try finds what a concurrent sign-in of the same person has just added. */
  async #signIn(claims: Claims, client: SessionClient): Promise<Session> {
    const once = () => this.deps.unitOfWork.run(() => this.#signInOnce(claims, client));
    try {
      return await once();
    } catch (error) {
      if (error instanceof DomainError && error.code === 'user_exists') return once();
      if (error instanceof SignInRefused && error.reason === 'sso_linked_elsewhere') return once();
      throw error;
    }
  }

  async #signInOnce(claims: Claims, client: SessionClient): Promise<Session> {
    const known = await this.deps.identities.find(claims.issuer, claims.subject);
    const account = known ? null : await this.#lockByEmail(claims.email);
    const decision = decideSignIn(claims, { linkedUserId: known?.userId ?? null, account }, this.deps.rules);
    switch (decision.kind) {
      case 'refuse':
        throw new SignInRefused(decision.reason);
      case 'sign_in':
        return this.#openSession(decision.userId, claims, client);
      case 'register': {
        const { name } = claims;
        const { user } = await this.deps.accounts.open({
          email: decision.email,
          name,
          passwordHash: null,
          emailVerified: true,
        });
        return this.#linked(user.id, claims, client);
      }
      case 'take_over':
        await this.deps.takeOvers.run(account!);
        await this.deps.confirmations.notify(account!, 'password_removed');
        return this.#linked(decision.userId, claims, client);
      case 'link':
        return this.#linked(decision.userId, claims, client);
    }
  }

  /** Locked, so that the decision still holds when its effects are saved. */
  async #lockByEmail(email: Email | null): Promise<Account | null> {
    const found = email && (await this.deps.store.findByEmail(email));
    const account = found ? await this.deps.store.lock(found.id) : null;
    return account?.email === email ? account : null;
  }

  async #linked(userId: number, claims: Claims, client: SessionClient): Promise<Session> {
    await this.#add(userId, claims);
    await this.deps.store.update(userId, { emailVerifiedAt: this.deps.clock.now() });
    return this.#openSession(userId, claims, client);
  }

  async #openSession(userId: number, { isOperator }: Claims, client: SessionClient): Promise<Session> {
    const account = await this.deps.store.lock(userId);
    if (account) await this.deps.operators.follow(account, isOperator);
    return this.deps.accounts.openSession(userId, client);
  }

  /** Links an identity for a caller whose token is valid still. */
  async #link(claims: Claims, caller: Actor): Promise<void> {
    const { userId } = caller;
    if (!(await this.deps.gate.stillActing([caller])).has(caller)) throw new SignInRefused('sso_expired');
    const known = await this.deps.identities.find(claims.issuer, claims.subject);
    if (known?.userId !== userId) await this.#add(userId, claims);
  }

  /** @throws SignInRefused when the identity is linked */
  async #add(userId: number, { issuer, subject, email }: Claims): Promise<void> {
    const identity = { userId, issuer, subject, email, createdAt: this.deps.clock.now() };
    if (!(await this.deps.identities.add(identity))) throw new SignInRefused('sso_linked_elsewhere');
    await this.deps.auditLog.record({ action: 'account.identity_link', target: userId, details: {}, userId });
  }
}
