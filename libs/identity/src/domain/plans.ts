import { invalidField } from '#kernel';

/** A configured plan. */
export interface Plan {
  readonly id: string;
  /** Per workspace and calendar month. */
  readonly monthlyCredits: number;
  /** True if this is a team plan. */
  readonly teams: boolean;
}

export type Plans = Readonly<Record<string, Plan>>;

/**
 * Checks that a plan is configured.
 *
 * @throws DomainError `validation_failed` on `plan`; the message lists the configured plans, or only the team plans
 */
export function requirePlan(plans: Plans, id: string, { forTeam }: { readonly forTeam: boolean }): void {
  const known = Object.values(plans).filter(({ teams }) => teams || !forTeam);
  if (known.some((plan) => plan.id === id)) return;
  const names = known.map((plan) => plan.id).join(', ');
  throw invalidField('plan', forTeam ? `must be a team plan: ${names}` : `must be one of ${names}`);
}

/** The plan of every new personal workspace. It has no subscription. */
export const FREE_PLAN = 'free';

/** A plan that is no longer configured has no credits and no teams. */
export function planOf(plans: Plans, id: string): Plan {
  return Object.hasOwn(plans, id) ? plans[id]! : { id, monthlyCredits: 0, teams: false };
}
