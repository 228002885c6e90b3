/** A plan as configured: what it gives a workspace each calendar month, and whether it is a team plan. */
export interface Plan {
  readonly id: string;
  readonly monthlyCredits: number;
  readonly teams: boolean;
}

export type Plans = Readonly<Record<string, Plan>>;
