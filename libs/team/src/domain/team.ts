import type { Actor } from '#identity';
import { DomainError, type Role } from '#kernel';

/** Roles that can be assigned to a member. The owner changes only by a transfer. */
export const ASSIGNABLE_ROLES = ['member', 'admin'] as const satisfies readonly Role[];
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number];

/**
 * Checks the new role of a member.
 *
 * @throws DomainError `invalid_role_change` for anything but `member` and `admin`
 */
export function newRoleOf(text: string): AssignableRole {
  const role = ASSIGNABLE_ROLES.find((each) => each === text);
  if (!role) throw new DomainError('invalid_role_change', `role must be ${ASSIGNABLE_ROLES.join(' or ')}`);
  return role;
}

/** @throws DomainError `conflict` for a personal workspace, which has no other members on any plan */
export function assertTakesMembers({ isTeam }: Pick<Actor, 'isTeam'>): void {
  if (!isTeam) {
    throw new DomainError('conflict', 'a personal workspace has no members: ask the operator to open a team');
  }
}

/**
 * The actor with their current role, which may have changed since the request was authenticated.
 *
 * @param roles locked roles, including the actor's
 * @throws DomainError `forbidden` when they are no longer in the workspace
 */
export function currentActor(actor: Actor, roles: ReadonlyMap<number, Role>): Actor {
  const role = roles.get(actor.userId);
  if (!role) throw new DomainError('forbidden', 'you do not belong to this team any more');
  return { ...actor, role };
}
