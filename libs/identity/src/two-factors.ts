import type { AuditLog } from '#audit-log';
import { DomainError, notFound, type Clock, type Sealer, type UnitOfWork } from '#kernel';
import {
  countTry,
  readCode,
  RECOVERY_CODES,
  shownRecoveryCode,
  twoFactorContext,
  WrongCode,
  type RecoveryCodeHash,
  type TotpCode,
  type TwoFactor,
} from './domain/two-factor.ts';
import type { AccountNotice } from './domain/account-mails.ts';
import type { Confirmations } from './confirmations.ts';
import type { Actor } from './domain/user.ts';
import type {
  AccountStore,
  Enrolment,
  OneTimeCodes,
  RecoveryCodeStore,
  SessionStore,
  TwoFactorStore,
} from './ports.ts';
import type { Reauthentication } from './reauthentication.ts';

/** A code that was checked. The unit of work that it allows uses it, once. */
export type CheckedCode =
  | { readonly kind: 'totp'; readonly userId: number; readonly step: number }
  | { readonly kind: 'recovery'; readonly userId: number; readonly hash: RecoveryCodeHash };

interface Proof {
  /** `null` for an account without a password. */
  readonly password: string | null;
  /** Code of the app, or a recovery code. */
  readonly code: string;
}

export class TwoFactors {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'lock'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly confirmations: Pick<Confirmations, 'notify'>;
      readonly factors: TwoFactorStore;
      readonly recoveryCodes: RecoveryCodeStore;
      readonly codes: OneTimeCodes;
      readonly sealer: Sealer;
      readonly sessions: Pick<SessionStore, 'endAll'>;
      readonly reauthentication: Reauthentication;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /** Reports whether log-in needs a code. */
  isOn(userId: number): Promise<boolean> {
    return this.deps.factors.isOn(userId);
  }

  /**
   * Makes a secret for the caller's app. Two-factor is on once a code has confirmed it.
   *
   * @throws DomainError `validation_failed`, `forbidden`; `conflict` when two-factor is on; `unavailable` without a
   * SECRET_KEY
   */
  async start(actor: Actor, password: string | null): Promise<Enrolment> {
    const { email } = await this.deps.reauthentication.require(actor, password);
    const { userId } = actor;
    const secret = this.deps.codes.createSecret();
    const sealed = this.deps.sealer.seal(secret, twoFactorContext(userId));
    const started = await this.deps.unitOfWork.run(() =>
      this.deps.factors.start(userId, sealed, this.deps.clock.now()),
    );
    if (!started) throw new DomainError('conflict', 'two-factor is on already: turn it off first');
    return this.deps.codes.enrolmentOf(secret, email);
  }

  /**
   * Turns two-factor on by a first code. The caller's other sessions end; API tokens stay.
   *
   * @returns recovery codes, which can't be retrieved later
   * @throws DomainError `validation_failed`, `rate_limited`; `conflict` unless two-factor is pending
   */
  async confirm({ userId, tokenId }: Actor, text: string): Promise<readonly string[]> {
    const read = readCode(text);
    if (read?.kind !== 'totp') throw new WrongCode();
    const { factor, step } = await this.#check(userId, 'pending', read.code);
    return this.deps.unitOfWork.run(async () => {
      // A concurrent log-in has either opened its session already, which ends here, or will be asked for a code.
      await this.deps.accounts.lock(userId);
      const { secret } = factor;
      const confirmed = await this.deps.factors.confirm({ userId, secret, step, now: this.deps.clock.now() });
      if (!confirmed) throw new DomainError('conflict', 'this was changed meanwhile: begin again');
      await this.deps.sessions.endAll(userId, { except: tokenId });
      await this.deps.auditLog.record({ action: 'account.two_factor_on', target: userId, details: {} });
      await this.#notify(userId, 'two_factor_on');
      return this.#newRecoveryCodes(userId);
    });
  }

  /** Turns two-factor off. @throws DomainError `validation_failed`, `forbidden`, `rate_limited`; `conflict` if it is off */
  async stop(actor: Actor, proof: Proof): Promise<void> {
    await this.#with(actor, proof, () => this.#remove(actor.userId, 'code'));
  }

  /**
   * Replaces the caller's recovery codes.
   *
   * @returns the new ones, which can't be retrieved later
   * @throws DomainError `validation_failed`, `forbidden`, `rate_limited`; `conflict` if two-factor is off
   */
  renewRecoveryCodes(actor: Actor, proof: Proof): Promise<readonly string[]> {
    return this.#with(actor, proof, async () => {
      const { userId } = actor;
      await this.deps.auditLog.record({ action: 'account.recovery_codes_replace', target: userId, details: {} });
      return this.#newRecoveryCodes(userId);
    });
  }

  /** Turns two-factor off as an operator, for a user who has lost the app and the codes. @throws DomainError `not_found` */
  async stopAsOperator(userId: number): Promise<void> {
    const removed = await this.deps.unitOfWork.run(() => this.#remove(userId, 'operator'));
    if (!removed) throw notFound('two-factor');
  }

  async #remove(userId: number, by: 'code' | 'operator'): Promise<boolean> {
    const removed = await this.deps.factors.remove(userId);
    if (!removed) return false;
    await this.deps.auditLog.record({ action: 'account.two_factor_off', target: userId, details: { by } });
    await this.#notify(userId, 'two_factor_off');
    return true;
  }

  /**
   * Checks a code of a user whose two-factor is on. Wrong codes of the app are counted for each account.
   *
   * @throws WrongCode; DomainError `rate_limited`; `unavailable` when the secret can't be opened; `conflict` if two-factor
   * is off
   */
  async checkCode(userId: number, text: string): Promise<CheckedCode> {
    const read = readCode(text);
    if (!read) throw new WrongCode();
    // Recovery codes need no limit: they can't be guessed.
    if (read.kind === 'recovery')
      return { kind: 'recovery', userId, hash: this.deps.codes.hashRecoveryCode(read.code) };
    const { step } = await this.#check(userId, 'on', read.code);
    return { kind: 'totp', userId, step };
  }

  /** Uses a code, in the surrounding unit of work. @throws WrongCode when it was used before, or is no recovery code */
  async useCode(checked: CheckedCode): Promise<void> {
    const { userId } = checked;
    const isFirstUse =
      checked.kind === 'totp'
        ? await this.deps.factors.acceptStep(userId, checked.step)
        : await this.deps.recoveryCodes.use(userId, checked.hash);
    if (!isFirstUse) throw new WrongCode();
    if (checked.kind === 'recovery') await this.#notify(userId, 'recovery_code_used');
  }

  /** In the unit of work of the change, so that its owner hears of it, whoever made it. */
  async #notify(userId: number, notice: AccountNotice): Promise<void> {
    const account = await this.deps.accounts.lock(userId);
    if (account) await this.deps.confirmations.notify(account, notice);
  }

  async #with<T>(actor: Actor, { password, code }: Proof, work: () => Promise<T>): Promise<T> {
    await this.deps.reauthentication.require(actor, password);
    const checked = await this.checkCode(actor.userId, code);
    return this.deps.unitOfWork.run(async () => {
      await this.deps.accounts.lock(actor.userId);
      await this.useCode(checked);
      return work();
    });
  }

  /** The try is committed before the code is checked, so that concurrent tries are limited too. */
  async #check<State extends TwoFactor['state']>(userId: number, state: State, code: TotpCode) {
    const now = this.deps.clock.now();
    const { factor, secret } = await this.deps.unitOfWork.run(async () => {
      const factor = await this.deps.factors.lock(userId);
      if (factor?.state !== state) {
        throw new DomainError('conflict', state === 'on' ? 'two-factor is off' : 'two-factor is not being set up');
      }
      const secret = this.deps.sealer.open(factor.secret, twoFactorContext(userId));
      await this.deps.factors.saveTries(userId, countTry(factor.tries, now));
      return { factor, secret };
    });
    const step = await this.deps.codes.stepOf(code, secret, now);
    if (step === null) throw new WrongCode();
    return { factor, step };
  }

  async #newRecoveryCodes(userId: number): Promise<readonly string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () => this.deps.codes.createRecoveryCode());
    await this.deps.recoveryCodes.replace(
      userId,
      codes.map((code) => this.deps.codes.hashRecoveryCode(code)),
    );
    return codes.map(shownRecoveryCode);
  }
}
