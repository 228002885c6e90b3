import type { Actor } from '#identity';
import { DomainError, type Role } from '#kernel';

/**
 * The actor in the role they have now, which need not be the one that their request was let in with: a body can take
 * its time to arrive.
 *
 * @param held roles that are held until the unit of work ends, the actor's among them
 * @throws DomainError `forbidden` when they are in the workspace no more
 */
export function currentCaller(actor: Actor, held: ReadonlyMap<number, Role>): Actor {
  const role = held.get(actor.userId);
  if (!role) throw new DomainError('forbidden', 'you do not belong to this team any more');
  return { ...actor, role };
}
