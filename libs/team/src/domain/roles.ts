import { DomainError } from '#kernel';

/** Roles that can be given to somebody; who is the owner changes by transfer alone. */
export const ASSIGNABLE_ROLES = ['member', 'admin'] as const;
export type AssignableRole = (typeof ASSIGNABLE_ROLES)[number];

/**
 * The role that a member is to get.
 *
 * @throws DomainError `invalid_role_change` for anything but `member` and `admin`
 */
export function newRoleOf(text: string): AssignableRole {
  const role = ASSIGNABLE_ROLES.find((each) => each === text);
  if (!role) throw new DomainError('invalid_role_change', `role must be ${ASSIGNABLE_ROLES.join(' or ')}`);
  return role;
}
