/** The roles in a workspace, from the highest to the lowest. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** The level of each role: a role has all permissions of the lower roles. */
export const ROLE_LEVELS: Readonly<Record<Role, number>> = { owner: 99, admin: 2, member: 1 };

/** The roles from the highest down to `least`. */
export function rolesFrom(least: Role): Role[] {
  return ROLES.filter((role) => ROLE_LEVELS[role] >= ROLE_LEVELS[least]);
}
