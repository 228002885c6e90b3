import { InvalidArgumentError } from 'commander';
import { notFound } from '#kernel';
import { emailOf, MAX_MONTHLY_CREDITS, SCOPES, type DirectoryUser, type Scope } from '#identity';
import { directory } from '#wiring';
import type { Service } from './session.ts';

/** Reads a positive whole number from the command line. */
export function integerArgument(text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('It must be a positive whole number.');
  }
  return value;
}

/** Reads the monthly budget of a token. */
export function budgetArgument(text: string): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value > MAX_MONTHLY_CREDITS) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${MAX_MONTHLY_CREDITS}.`);
  }
  return value;
}

/** Reads scopes that commas separate. */
export function scopesArgument(text: string): readonly Scope[] {
  const names = new Set(text.split(',').map((name) => name.trim()));
  const scopes = SCOPES.filter((scope) => names.has(scope));
  if (scopes.length < names.size) throw new InvalidArgumentError(`They must be of ${SCOPES.join(', ')}.`);
  return scopes;
}

/** @throws DomainError `not_found`, `validation_failed` */
export async function findUser(service: Service, email: string): Promise<DirectoryUser> {
  const user = await service.get(directory).userByEmail(emailOf(email));
  if (!user) throw notFound('user');
  return user;
}
