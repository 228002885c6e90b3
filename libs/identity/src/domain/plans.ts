/** A plan as configured: what it gives a workspace each calendar month, and whether it is a team plan. */
export interface Plan {
  readonly id: string;
  readonly monthlyCredits: number;
  readonly teams: boolean;
}

export type Plans = Readonly<Record<string, Plan>>;

/** The plan of every new user's personal workspace; who is on it has no subscription. */
export const FREE_PLAN = 'free';

/** A plan that is not configured any more gives nothing. */
export function planOf(plans: Plans, id: string): Plan {
  return Object.hasOwn(plans, id) ? plans[id]! : { id, monthlyCredits: 0, teams: false };
}
