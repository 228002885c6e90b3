import type { Clock, UnitOfWork } from '#kernel';
import { emailOf } from '../domain/email.ts';
import { nameOf } from '../domain/name.ts';
import type { PasswordHash } from '../domain/password.ts';
import { FREE_PLAN } from '../domain/plans.ts';
import type { Accounts, OpenedAccount } from '../ports/accounts.ts';

/** Who has just arrived, and their personal workspace. */
export interface Newcomer {
  readonly userId: number;
  readonly workspaceId: number;
}

/** What another room does for every newcomer, in the unit of work that makes them. */
export type Arrival = (newcomer: Newcomer) => Promise<void>;

/** Makes a user with a personal workspace and all that belongs into it, or nothing of it. */
export class OpenAccount {
  readonly #accounts: Accounts;
  readonly #arrivals: readonly Arrival[];
  readonly #unitOfWork: UnitOfWork;
  readonly #clock: Clock;

  constructor(accounts: Accounts, arrivals: readonly Arrival[], unitOfWork: UnitOfWork, clock: Clock) {
    this.#accounts = accounts;
    this.#arrivals = arrivals;
    this.#unitOfWork = unitOfWork;
    this.#clock = clock;
  }

  /** @throws DomainError `user_exists` when the e-mail is taken; `validation_failed` */
  async run(request: {
    readonly email: string;
    readonly name: string | null;
    readonly passwordHash: PasswordHash | null;
  }): Promise<OpenedAccount> {
    const account = {
      email: emailOf(request.email),
      name: request.name === null ? null : nameOf(request.name),
      passwordHash: request.passwordHash,
      plan: FREE_PLAN,
      openedAt: this.#clock.now(),
    };
    return this.#unitOfWork.run(async () => {
      const opened = await this.#accounts.open(account);
      const newcomer = { userId: opened.user.id, workspaceId: opened.workspaceId };
      for (const welcome of this.#arrivals) await welcome(newcomer);
      return opened;
    });
  }
}
