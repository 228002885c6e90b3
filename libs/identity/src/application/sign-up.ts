import { DomainError, type UnitOfWork } from '#kernel';
import { chosenPassword } from '../domain/password.ts';
import type { Session, SessionRules } from '../domain/session.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { CreateToken } from './create-token.ts';
import type { OpenAccount } from './open-account.ts';

/** Opens an account for a stranger and lets them in. */
export class SignUp {
  readonly #openAccount: OpenAccount;
  readonly #createToken: CreateToken;
  readonly #passwords: Passwords;
  readonly #unitOfWork: UnitOfWork;
  readonly #rules: SessionRules;

  constructor(
    openAccount: OpenAccount,
    createToken: CreateToken,
    passwords: Passwords,
    unitOfWork: UnitOfWork,
    rules: SessionRules,
  ) {
    this.#openAccount = openAccount;
    this.#createToken = createToken;
    this.#passwords = passwords;
    this.#unitOfWork = unitOfWork;
    this.#rules = rules;
  }

  /** @throws DomainError `forbidden` when sign-up is switched off; `user_exists`; `validation_failed` */
  async run(request: {
    readonly email: string;
    readonly password: string;
    readonly name: string | null;
  }): Promise<Session> {
    if (!this.#rules.signUpEnabled) {
      throw new DomainError('forbidden', 'sign-up is switched off: ask the operator for an account');
    }
    // Before the unit of work: no connection is held while the password is hashed.
    const passwordHash = await this.#passwords.hash(chosenPassword(request.password));
    return this.#unitOfWork.run(async () => {
      const { user } = await this.#openAccount.run({ ...request, passwordHash });
      const token = await this.#createToken.run({
        userId: user.id,
        name: 'sign-up',
        expiresInDays: this.#rules.tokenDays,
      });
      return { user, token };
    });
  }
}
