import { DomainError, ROLE_LEVELS, rolesFrom, type Role } from '#kernel';
import type { Actor } from './user.ts';
import { planOf, type Plans } from './plans.ts';

interface Permission {
  /** The lowest role that may perform the action. */
  readonly least: Role;
  /** True if the workspace needs a team plan. */
  readonly teamPlan?: true;
  /** True if the creator of the object may perform the action in any role. */
  readonly orCreator?: true;
  /** The error when the target is the owner, for callers of any role. */
  readonly onOwner?: 'owner_not_removable' | 'invalid_role_change';
}

/** The permissions of each action. Every member of the workspace may perform unlisted actions. */
export const PERMISSIONS = {
  'team.read': { least: 'member', teamPlan: true },
  'team.read_members': { least: 'admin', teamPlan: true },
  'team.read_usage_of_others': { least: 'admin', teamPlan: true },
  'team.add_member': { least: 'admin', teamPlan: true },
  'team.invite': { least: 'admin', teamPlan: true },
  'team.leave': { least: 'member', teamPlan: true, onOwner: 'owner_not_removable' },
  'team.remove_member': { least: 'admin', teamPlan: true, onOwner: 'owner_not_removable' },
  'team.change_role': { least: 'owner', teamPlan: true, onOwner: 'invalid_role_change' },
  'team.transfer_ownership': { least: 'owner', teamPlan: true, onOwner: 'invalid_role_change' },
  'board.update': { least: 'admin' },
  'board.delete': { least: 'admin' },
  'trash.manage': { least: 'admin' },
  'webhook.manage': { least: 'admin' },
  'event.read_of_team': { least: 'admin' },
  'audit.read': { least: 'admin' },
  'customer.manage': { least: 'admin' },
  'workspace.manage': { least: 'admin' },
  'persona.delete': { least: 'admin', orCreator: true },
  'preset.update': { least: 'admin', orCreator: true },
  'preset.delete': { least: 'admin', orCreator: true },
  'library.delete': { least: 'admin', orCreator: true },
  'search.change': { least: 'admin', orCreator: true },
  'comment.change': { least: 'admin', orCreator: true },
  'share.create': { least: 'admin' },
  'share.change': { least: 'admin', orCreator: true },
} as const satisfies Record<string, Permission>;

export type Action = keyof typeof PERMISSIONS;

export type Refusal = 'forbidden' | NonNullable<Permission['onOwner']>;

/** The target of an action: a member, with their role, or an object, with its creator. */
export interface Target {
  readonly role?: Role | undefined;
  /** User id. */
  readonly createdBy?: number;
}

type Caller = Pick<Actor, 'userId' | 'role'>;

export function permissionOf(action: Action): Permission {
  return PERMISSIONS[action];
}

/**
 * The reason why the caller's role does not allow the action; `null` if it does. `assertPlan` checks the plan.
 */
export function refusalOf(action: Action, caller: Caller, target: Target = {}): Refusal | null {
  const { least, orCreator, onOwner } = permissionOf(action);
  const isCreator = orCreator && target.createdBy === caller.userId;
  if (ROLE_LEVELS[caller.role] < ROLE_LEVELS[least] && !isCreator) return 'forbidden';
  return target.role === 'owner' ? (onOwner ?? null) : null;
}

export function may(action: Action, caller: Caller, target?: Target): boolean {
  return refusalOf(action, caller, target) === null;
}

/** @throws DomainError with the code that `refusalOf` returns */
export function assertMay(action: Action, caller: Caller, target?: Target): void {
  const refusal = refusalOf(action, caller, target);
  if (refusal) throw new DomainError(refusal, REASONS[refusal](permissionOf(action)));
}

const REASONS: Readonly<Record<Refusal, (permission: Permission) => string>> = {
  forbidden: ({ least, orCreator }) =>
    `only ${orCreator ? 'the creator, ' : ''}${rolesFrom(least).join(' and ')} may do this`,
  owner_not_removable: () => 'the owner cannot be removed: transfer the ownership first',
  invalid_role_change: () => "the owner's role changes only by transferring the ownership to another member",
};

/** @throws DomainError `plan_required` when the action needs a team plan and `plan` is not one */
export function assertPlan(action: Action, plan: string, plans: Plans): void {
  if (!permissionOf(action).teamPlan || planOf(plans, plan).teams) return;
  throw new DomainError('plan_required', `the plan ${plan} has no teams: change to one that has`);
}
