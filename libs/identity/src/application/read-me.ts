import { DomainError } from '#kernel';
import type { Actor } from '../domain/actor.ts';
import type { User } from '../domain/user.ts';
import type { Accounts } from '../ports/accounts.ts';

/** Tells callers who they are. */
export class ReadMe {
  readonly #accounts: Accounts;

  constructor(accounts: Accounts) {
    this.#accounts = accounts;
  }

  /** @throws DomainError `unauthenticated` when the user is gone since they were authenticated */
  async run(actor: Actor): Promise<User> {
    const user = await this.#accounts.find(actor.userId);
    if (!user) throw new DomainError('unauthenticated', 'the account is gone');
    return user;
  }
}
