import type { AuditLog } from '#audit-log';
import { notFound, type UnitOfWork } from '#kernel';
import { emailOf } from './domain/email.ts';
import type { Profile } from './domain/user.ts';
import type { AccountStore } from './ports.ts';
import type { Tokens } from './tokens.ts';

/** Accounts that may operate the service. Operators act by a session, never by an API token of theirs. */
export class Operators {
  readonly #accounts: Pick<AccountStore, 'find' | 'findByEmail' | 'update'>;
  readonly #tokens: Pick<Tokens, 'find'>;
  readonly #auditLog: Pick<AuditLog, 'record'>;
  readonly #unitOfWork: UnitOfWork;

  constructor(
    accounts: Pick<AccountStore, 'find' | 'findByEmail' | 'update'>,
    tokens: Pick<Tokens, 'find'>,
    auditLog: Pick<AuditLog, 'record'>,
    unitOfWork: UnitOfWork,
  ) {
    this.#accounts = accounts;
    this.#tokens = tokens;
    this.#auditLog = auditLog;
    this.#unitOfWork = unitOfWork;
  }

  /** The operator of a session; `null` for any other token, and for users who are no operators. */
  async bySession(secret: string): Promise<Profile | null> {
    const found = await this.#tokens.find(secret);
    if (!found || found.token.kind !== 'log_in') return null;
    const profile = await this.#accounts.find(found.actor.userId);
    return profile?.isOperator ? profile : null;
  }

  /** Makes a user an operator, or ends that. @throws DomainError `not_found` */
  async appoint(email: string, isOperator: boolean): Promise<void> {
    await this.#unitOfWork.run(async () => {
      const account = await this.#accounts.findByEmail(emailOf(email));
      if (!account) throw notFound('user');
      await this.#accounts.update(account.id, { isOperator });
      const details = { operator: isOperator };
      await this.#auditLog.record({ action: 'account.operator_change', target: account.id, details });
    });
  }
}
