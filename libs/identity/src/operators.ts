import type { AuditLog } from '#audit-log';
import { DomainError, notFound, type UnitOfWork } from '#kernel';
import { emailOf } from './domain/email.ts';
import {
  assertOperatorChange,
  operatorAfterSignIn,
  type OperatorChange,
  type OperatorGrant,
} from './domain/operator.ts';
import type { Account, Profile, SessionRules } from './domain/user.ts';
import { assertVerified } from './domain/verification.ts';
import type { AccountStore } from './ports.ts';
import type { Tokens } from './tokens.ts';

/** An operator, and the token of their session. */
export interface Operator extends Profile {
  readonly tokenId: number;
}

/** Accounts that may operate the service. Operators act by a session, never by an API token of theirs. */
export class Operators {
  constructor(
    private readonly accounts: Pick<AccountStore, 'find' | 'findByEmail' | 'lock' | 'lockOperators' | 'update'>,
    private readonly tokens: Pick<Tokens, 'find'>,
    private readonly auditLog: Pick<AuditLog, 'record'>,
    private readonly unitOfWork: UnitOfWork,
    private readonly rules: Pick<SessionRules, 'requiresVerifiedEmail'>,
  ) {}

  /**
   * The operator of a session; `null` for any other token, and for users who are no operators.
   *
   * @throws DomainError `email_unverified` where addresses must be verified
   */
  async bySession(secret: string): Promise<Operator | null> {
    const found = await this.tokens.find(secret);
    if (!found || found.token.kind !== 'log_in') return null;
    const profile = await this.accounts.find(found.actor.userId);
    if (!profile?.isOperator) return null;
    if (this.rules.requiresVerifiedEmail) assertVerified(profile.emailVerified);
    return { ...profile, tokenId: found.token.id };
  }

  /** @throws DomainError `forbidden` for a session of an operator that an API token has opened */
  async refuseDerived(secret: string): Promise<void> {
    const found = await this.tokens.find(secret);
    if (found?.token.kind !== 'session' || !(await this.accounts.find(found.actor.userId))?.isOperator) return;
    throw new DomainError(
      'forbidden',
      'this session was opened with an API token: to operate, sign in with your password',
    );
  }

  /** Makes a user an operator, or ends that. @throws DomainError `not_found` */
  async appoint(email: string, isOperator: boolean): Promise<void> {
    await this.unitOfWork.run(async () => {
      const account = await this.accounts.findByEmail(emailOf(email));
      if (!account) throw notFound('user');
      await this.#change(account.id, isOperator ? 'cli' : null, 'cli');
    });
  }

  /** Makes a user an operator, or ends that, for an operator. @throws DomainError `forbidden`, `not_found`, `conflict` */
  async change(change: OperatorChange): Promise<void> {
    const { userId, isOperator } = change;
    await this.unitOfWork.run(async () => {
      const operators = await this.accounts.lockOperators();
      assertOperatorChange(operators, change);
      const account = await this.accounts.lock(userId);
      if (!account || account.isService) throw notFound('user');
      if (account.isOperator === isOperator) return;
      await this.accounts.update(userId, { operatorBy: isOperator ? 'cli' : null });
      const details = { operator: isOperator, by: 'operator' } as const;
      await this.auditLog.record({ action: 'account.operator_change', target: userId, details, workspaceOf: userId });
    });
  }

  /** Makes the user of a locked account an operator, or ends that, by the claim of a sign-in; in its unit of work. */
  async follow({ id, operatorBy }: Account, hasClaim: boolean): Promise<void> {
    const then = operatorAfterSignIn(operatorBy, hasClaim);
    if (then !== operatorBy) await this.#change(id, then, 'claim');
  }

  async #change(userId: number, operatorBy: OperatorGrant | null, by: OperatorGrant): Promise<void> {
    await this.accounts.update(userId, { operatorBy });
    const details = { operator: operatorBy !== null, by };
    await this.auditLog.record({ action: 'account.operator_change', target: userId, details, userId });
  }
}
