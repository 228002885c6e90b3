import { planOf, type Actor, type Plans, type Role } from '#identity';
import { DomainError } from '#kernel';

export type Refusal = 'forbidden' | 'owner_not_removable' | 'invalid_role_change';

interface Rule {
  /** The roles that may do it. */
  readonly callers: readonly Role[];
  /** The roles whose holders it can't be done to, whoever calls, and how that is refused. */
  readonly spared?: Readonly<Partial<Record<Role, Refusal>>>;
}

/** Who may do what to whom. */
export const ROLES_POLICY = {
  see_team: { callers: ['owner', 'admin', 'member'] },
  see_members: { callers: ['owner', 'admin'] },
  see_usage_of_others: { callers: ['owner', 'admin'] },
  add_members: { callers: ['owner', 'admin'] },
  manage_invitations: { callers: ['owner', 'admin'] },
  leave: { callers: ['owner', 'admin', 'member'], spared: { owner: 'owner_not_removable' } },
  remove_members: { callers: ['owner', 'admin'], spared: { owner: 'owner_not_removable' } },
  change_roles: { callers: ['owner'], spared: { owner: 'invalid_role_change' } },
  transfer_ownership: { callers: ['owner'], spared: { owner: 'invalid_role_change' } },
} as const satisfies Record<string, Rule>;

export type TeamAction = keyof typeof ROLES_POLICY;

/**
 * Why somebody in the role `caller` may not do this; `null` when they may.
 *
 * @param target role of whom it is done to, where it is done to a member
 */
export function refusalOf(caller: Role, action: TeamAction, target?: Role): Refusal | null {
  const { callers, spared }: Rule = ROLES_POLICY[action];
  if (!callers.includes(caller)) return 'forbidden';
  return (target && spared?.[target]) ?? null;
}

/**
 * Lets pass who may do this.
 *
 * @throws DomainError `plan_required`, then what the policy refuses with
 */
export function assertMay(
  { plan, role }: Pick<Actor, 'plan' | 'role'>,
  plans: Plans,
  action: TeamAction,
  target?: Role,
): void {
  if (!planOf(plans, plan).teams) {
    throw new DomainError('plan_required', `the plan ${plan} has no teams: change to one that has`);
  }
  const refusal = refusalOf(role, action, target);
  if (refusal) throw new DomainError(refusal, REASONS[refusal](action));
}

const REASONS: Readonly<Record<Refusal, (action: TeamAction) => string>> = {
  forbidden: (action) => `only ${ROLES_POLICY[action].callers.join(' and ')} may do this`,
  owner_not_removable: () => 'the owner can not be removed: transfer the ownership first',
  invalid_role_change: () => "the owner's role changes only by transferring the ownership to another member",
};
