/** The roles in a workspace, from the highest to the lowest. */
export const ROLES = ['owner', 'admin', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** The level of each role: a higher role may do all that a lower one may. */
export const ROLE_LEVELS: Readonly<Record<Role, number>> = { owner: 99, admin: 2, member: 1 };

/** The role `least` and those above it, from the highest to the lowest. */
export function rolesFrom(least: Role): Role[] {
  return ROLES.filter((role) => ROLE_LEVELS[role] >= ROLE_LEVELS[least]);
}
