import { notFound } from '#kernel';
import { chosenPassword } from '../domain/password.ts';
import { emailOf } from '../domain/email.ts';
import type { Directory } from '../ports/directory.ts';
import type { Passwords } from '../ports/passwords.ts';

/** Gives a user another password. */
export class ChangePassword {
  readonly #directory: Directory;
  readonly #passwords: Passwords;

  constructor(directory: Directory, passwords: Passwords) {
    this.#directory = directory;
    this.#passwords = passwords;
  }

  /** @throws DomainError `not_found`, `validation_failed` */
  async run(request: { readonly email: string; readonly password: string }): Promise<void> {
    const hash = await this.#passwords.hash(chosenPassword(request.password));
    const user = await this.#directory.userByEmail(emailOf(request.email));
    if (!user) throw notFound('user');
    await this.#directory.changePassword(user.id, hash);
  }
}
