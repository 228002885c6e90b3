/** A configured plan. */
export interface Plan {
  readonly id: string;
  /** Per workspace and calendar month. */
  readonly monthlyCredits: number;
  /** Whether it is a team plan. */
  readonly teams: boolean;
}

export type Plans = Readonly<Record<string, Plan>>;

/** The plan of every new personal workspace. It has no subscription. */
export const FREE_PLAN = 'free';

/** A plan that is no longer configured has no credits and no teams. */
export function planOf(plans: Plans, id: string): Plan {
  return Object.hasOwn(plans, id) ? plans[id]! : { id, monthlyCredits: 0, teams: false };
}
