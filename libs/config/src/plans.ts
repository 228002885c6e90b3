import { Refusal } from './setting.ts';

/** A plan: its credits for each calendar month, and whether it is a team plan. */
export interface PlanSettings {
  readonly id: string;
  readonly monthlyCredits: number;
  readonly teams: boolean;
}

/** The plan of every new workspace; it must be configured. */
export const FREE_PLAN = 'free';

const MAX_CREDITS = 1_000_000_000;

/** Reads `{"free": {"monthly_credits": 100, "teams": false}, …}`. */
export function readPlans(value: unknown): Readonly<Record<string, PlanSettings>> {
  if (!isRecord(value)) throw new Refusal('is not an object of plans');
  const plans = Object.fromEntries(Object.entries(value).map(([id, plan]) => [id, readPlan(id, plan)]));
  if (!Object.hasOwn(plans, FREE_PLAN)) throw new Refusal(`has no plan \`${FREE_PLAN}\``);
  return plans;
}

/** Reads `{"free": 5368709120, …}`: bytes by plan. */
export function readQuotas(value: unknown): Readonly<Record<string, number>> {
  if (!isRecord(value)) throw new Refusal('is not an object of plans');
  for (const [id, bytes] of Object.entries(value)) {
    requirePlanName(id);
    if (typeof bytes !== 'number' || !Number.isSafeInteger(bytes) || bytes < 0) {
      throw new Refusal(`has no whole number of bytes for the plan \`${id}\``);
    }
  }
  return value as Record<string, number>;
}

function readPlan(id: string, value: unknown): PlanSettings {
  requirePlanName(id);
  if (!isRecord(value)) throw new Refusal(`has no object for the plan \`${id}\``);
  const { monthly_credits: monthlyCredits, teams = false } = value;
  if (typeof monthlyCredits !== 'number' || !Number.isInteger(monthlyCredits)) {
    throw new Refusal(`has no whole number as \`monthly_credits\` of the plan \`${id}\``);
  }
  if (monthlyCredits < 0 || monthlyCredits > MAX_CREDITS) {
    throw new Refusal(`has \`monthly_credits\` of the plan \`${id}\` outside 0 to ${MAX_CREDITS}`);
  }
  if (typeof teams !== 'boolean') throw new Refusal(`has no true or false as \`teams\` of the plan \`${id}\``);
  return { id, monthlyCredits, teams };
}

function requirePlanName(id: string): void {
  if (!/^[a-z][a-z0-9_-]{0,31}$/.test(id))
    throw new Refusal('has a plan whose name has characters other than a-z, 0-9, _ and -');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
