import { notFound } from '#kernel';
import { emailOf, type DirectoryUser } from '#identity';
import { directory } from '#wiring';
import type { Service } from './session.ts';

/** @throws DomainError `not_found`, `validation_failed` */
export async function findUser(service: Service, email: string): Promise<DirectoryUser> {
  const user = await service.get(directory).userByEmail(emailOf(email));
  if (!user) throw notFound('user');
  return user;
}
