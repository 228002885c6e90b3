import { DomainError, invalidField, type Clock } from '#kernel';
import { typedPassword } from './domain/password.ts';
import { isFreshSession, FRESH_SESSION_MINUTES } from './domain/token.ts';
import type { Account, Actor } from './domain/user.ts';
import type { AccountStore, Passwords, TokenStore } from './ports.ts';

/** Proves that the caller owns the account, before changes with which somebody could take the account away. */
export class Reauthentication {
  constructor(
    private readonly accounts: Pick<AccountStore, 'find' | 'findByEmail'>,
    private readonly tokens: Pick<TokenStore, 'find'>,
    private readonly passwords: Pick<Passwords, 'verify'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Call it outside of units of work: it takes as long as a log-in.
   *
   * @param password of the account. An account without a password needs a session that is at most ten minutes old
   * @param field the request's field of the password
   * @returns the account as it was checked
   * @throws DomainError `validation_failed` when the password is wrong; `forbidden` when the session is older;
   * `unauthenticated` when the account or the session is gone
   */
  async require(actor: Actor, password: string | null, field = 'password'): Promise<Account> {
    const profile = await this.accounts.find(actor.userId);
    const account = profile && (await this.accounts.findByEmail(profile.email));
    if (!account) throw new DomainError('unauthenticated', 'the account is gone');
    if (account.passwordHash !== null) {
      const matches = await this.passwords.verify(typedPassword(password ?? ''), account.passwordHash);
      if (!matches) throw invalidField(field, 'is wrong');
      return account;
    }
    const token = await this.tokens.find(actor.tokenId);
    if (!token) throw new DomainError('unauthenticated', 'the session has just ended');
    if (isFreshSession(token, this.clock.now())) return account;
    throw new DomainError(
      'forbidden',
      `sign in again: an account without a password needs a sign-in of the last ${FRESH_SESSION_MINUTES} minutes`,
    );
  }
}
