import { invalidField } from '#kernel';

declare const password: unique symbol;
declare const hash: unique symbol;

/** A password in the form that is hashed (NFC), however the keyboard composed its accents. */
export type Password = string & { readonly [password]: true };

/** An argon2id hash with its parameters and salt, in PHC format. */
export type PasswordHash = string & { readonly [hash]: true };

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;

/**
 * Checks a new password.
 *
 * @throws DomainError `validation_failed` when it has less than 10 or more than 128 characters
 */
export function chosenPassword(text: string): Password {
  const chosen = typedPassword(text);
  const length = [...chosen].length;
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) {
    throw invalidField('password', `must have ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
  }
  return chosen;
}

/** A password to log in with, of any length. */
export function typedPassword(text: string): Password {
  return text.normalize('NFC') as Password;
}
