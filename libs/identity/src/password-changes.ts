import type { AuditDetails, AuditLog } from '#audit-log';
import { DomainError, notFound, type Jobs, type UnitOfWork } from '#kernel';
import { hashNewPassword, requirePasswordLogin } from './accounts.ts';
import { invalidToken, type Confirmations } from './confirmations.ts';
import { emailOf } from './domain/email.ts';
import type { PasswordHash } from './domain/password.ts';
import type { Account, Actor, Profile, SessionRules } from './domain/user.ts';
import type { AccountStore, LogInChallengeStore, Passwords, SessionStore } from './ports.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { TakeOvers } from './take-overs.ts';

/** Changes of passwords: by their owner, by a mailed token, and by operators. Each ends the user's sessions. */
export class PasswordChanges {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'find' | 'findByEmail' | 'lock' | 'update'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly sessions: Pick<SessionStore, 'endAll'>;
      readonly challenges: Pick<LogInChallengeStore, 'endAll'>;
      readonly confirmations: Confirmations;
      readonly reauthentication: Reauthentication;
      readonly passwords: Passwords;
      readonly rules: Pick<SessionRules, 'passwordLogin'>;
      readonly takeOvers: Pick<TakeOvers, 'run'>;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
    },
  ) {}

  /**
   * Changes the caller's password. All other sessions end; API tokens stay.
   *
   * @param request.current the present password; `null` for an account without one
   * @throws DomainError `validation_failed`, `forbidden`; `conflict` when the password has just been changed
   */
  async change(
    actor: Actor,
    request: { readonly current: string | null; readonly password: string },
  ): Promise<Profile> {
    const checked = await this.deps.reauthentication.require(actor, request.current, 'current');
    const passwordHash = await hashNewPassword(this.deps.passwords, request.password);
    return this.deps.unitOfWork.run(async () => {
      const account = await this.#lock(actor.userId);
      if (account.passwordHash !== checked.passwordHash) {
        throw new DomainError('conflict', 'the password has just been changed: enter the present one');
      }
      await this.#save(account, 'password', passwordHash, { except: actor.tokenId });
      return (await this.deps.accounts.find(account.id))!;
    });
  }

  /**
   * Has a token mailed to the account with this address, if there is one. The look-up is a job, so that callers can't
   * tell by the time whether there is an account.
   *
   * @throws DomainError `validation_failed` when `email` is no e-mail address; `forbidden` when log-in by password is off
   */
  async requestReset(email: string): Promise<void> {
    requirePasswordLogin(this.deps.rules);
    const payload = { email: emailOf(email) };
    await this.deps.jobs.announce({ name: 'password_reset.request', payload, workspaceId: null });
  }

  /** The job of `requestReset`. */
  async startReset(email: string): Promise<void> {
    await this.deps.unitOfWork.run(async () => {
      const account = await this.deps.accounts.findByEmail(emailOf(email));
      if (!account) return;
      await this.deps.confirmations.start({ userId: account.id, purpose: 'password_reset', email: account.email });
      await this.deps.auditLog.record({ action: 'account.password_reset_request', target: account.id, details: {} });
    });
  }

  /**
   * Sets a new password by a mailed token. All sessions end; two-factor authentication stays on. If the token is the
   * first proof of the address, the account is taken over.
   *
   * @throws DomainError `validation_failed`; `forbidden` when log-in by password is off
   */
  async reset({ token, password }: { readonly token: string; readonly password: string }): Promise<void> {
    requirePasswordLogin(this.deps.rules);
    const passwordHash = await hashNewPassword(this.deps.passwords, password);
    await this.deps.unitOfWork.run(async () => {
      const { userId, email } = await this.deps.confirmations.redeem('password_reset', token);
      const account = await this.#lock(userId);
      if (account.email !== email) throw invalidToken();
      if (!account.emailVerified) await this.deps.takeOvers.run(account);
      await this.#save(account, 'mail', passwordHash, { except: null });
    });
  }

  /** Sets a user's password as an operator. @throws DomainError `not_found`, `validation_failed` */
  async set(request: { readonly email: string; readonly password: string }): Promise<void> {
    const passwordHash = await hashNewPassword(this.deps.passwords, request.password);
    await this.deps.unitOfWork.run(async () => {
      const account = await this.deps.accounts.findByEmail(emailOf(request.email));
      if (!account) throw notFound('user');
      await this.#save(account, 'operator', passwordHash, { except: null });
    });
  }

  async #save(
    { id, email }: Account,
    by: AuditDetails['account.password_change']['by'],
    passwordHash: PasswordHash,
    ended: Parameters<SessionStore['endAll']>[1],
  ): Promise<void> {
    await this.deps.accounts.update(id, { passwordHash });
    // Before sessions end: the entry says by which the caller came.
    await this.deps.auditLog.record({ action: 'account.password_change', target: id, details: { by }, userId: id });
    await this.deps.confirmations.cancel(id, 'password_reset');
    // Anybody who knew the former password may have entered an address of theirs.
    await this.deps.confirmations.cancelEmailChange({ id, email });
    await this.deps.sessions.endAll(id, ended);
    await this.deps.challenges.endAll(id);
    await this.deps.confirmations.notify({ id, email }, 'password_changed');
  }

  async #lock(userId: number): Promise<Account> {
    const account = await this.deps.accounts.lock(userId);
    if (!account) throw new DomainError('unauthenticated', 'the account is gone');
    return account;
  }
}
