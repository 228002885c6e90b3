import { DomainError } from '#kernel';
import { emailOf } from '../domain/email.ts';
import { typedPassword } from '../domain/password.ts';
import type { Session, SessionRules } from '../domain/session.ts';
import type { Accounts } from '../ports/accounts.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { CreateToken } from './create-token.ts';

/** Lets in who knows the password. */
export class LogIn {
  readonly #accounts: Accounts;
  readonly #passwords: Passwords;
  readonly #createToken: CreateToken;
  readonly #rules: SessionRules;

  constructor(accounts: Accounts, passwords: Passwords, createToken: CreateToken, rules: SessionRules) {
    this.#accounts = accounts;
    this.#passwords = passwords;
    this.#createToken = createToken;
    this.#rules = rules;
  }

  /**
   * An unknown e-mail and a wrong password can't be told apart: same refusal, same time.
   *
   * @throws DomainError `unauthenticated`; `validation_failed` when `email` is no e-mail address
   */
  async run(request: { readonly email: string; readonly password: string }): Promise<Session> {
    const account = await this.#accounts.findByEmail(emailOf(request.email));
    const known = await this.#passwords.verify(
      typedPassword(request.password),
      account?.passwordHash ?? null,
    );
    if (!account || !known) {
      throw new DomainError('unauthenticated', 'the e-mail or the password is wrong');
    }
    const { id, email, name } = account;
    const token = await this.#createToken.run({
      userId: id,
      name: 'log-in',
      expiresInDays: this.#rules.tokenDays,
    });
    return { user: { id, email, name }, token };
  }
}
