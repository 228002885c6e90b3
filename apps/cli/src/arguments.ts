import { InvalidArgumentError } from 'commander';
import { notFound } from '#kernel';
import { emailOf, type DirectoryUser } from '#identity';
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

/** @throws DomainError `not_found`, `validation_failed` */
export async function findUser(service: Service, email: string): Promise<DirectoryUser> {
  const user = await service.get(directory).userByEmail(emailOf(email));
  if (!user) throw notFound('user');
  return user;
}
