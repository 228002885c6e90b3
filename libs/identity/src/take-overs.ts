import type { AuditLog } from '#audit-log';
import type { Clock } from '#kernel';
import type { Confirmations } from './confirmations.ts';
import type { Account } from './domain/user.ts';
import type { Operators } from './operators.ts';
import type { AccountStore, IdentityStore, LogInChallengeStore, SessionStore, TwoFactorStore } from './ports.ts';

/** Hook of another subject that ends what a user gave to others; runs in the unit of work of the take-over. */
export type TakeOverHook = (userId: number) => Promise<void>;

/** The first proof of an address, by the issuer or by a mailed reset: somebody else may have opened the account. */
export class TakeOvers {
  constructor(
    private readonly deps: {
      readonly accounts: Pick<AccountStore, 'update'>;
      readonly auditLog: Pick<AuditLog, 'record'>;
      readonly sessions: Pick<SessionStore, 'endAll'>;
      readonly challenges: Pick<LogInChallengeStore, 'endAll'>;
      readonly confirmations: Confirmations;
      readonly hooks: readonly TakeOverHook[];
      readonly identities: Pick<IdentityStore, 'removeAll'>;
      readonly operators: Pick<Operators, 'follow'>;
      readonly twoFactors: Pick<TwoFactorStore, 'remove'>;
      readonly clock: Clock;
    },
  ) {}

  /**
   * Ends everything by which somebody who does not own the address could come back to a locked account, or still sees
   * something of it, and verifies the address. Joins the surrounding unit of work.
   */
  async run(account: Account): Promise<void> {
    const { id } = account;
    await this.deps.accounts.update(id, { passwordHash: null, emailVerifiedAt: this.deps.clock.now() });
    await this.deps.auditLog.record({ action: 'account.take_over', target: id, details: {}, userId: id });
    await this.deps.sessions.endAll(id, { except: null, apiTokens: true });
    await this.deps.challenges.endAll(id);
    await this.deps.confirmations.cancel(id, 'email');
    await this.deps.confirmations.cancel(id, 'password_reset');
    await this.deps.identities.removeAll(id);
    // A claim of such an identity may have made the user an operator.
    await this.deps.operators.follow(account, false);
    await this.deps.twoFactors.remove(id);
    for (const hook of this.deps.hooks) await hook(id);
  }
}
