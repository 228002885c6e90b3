import type { TeamCredits } from '#team';
import { IntegerField, NumberField, TextField } from '../http/index.ts';

export class TeamCreditsView {
  @TextField({ description: 'Identifier of the plan.', example: 'enterprise' })
  plan!: string;

  @IntegerField({ description: 'Credits of this calendar month, UTC.', example: 20_000 })
  monthly_allocation!: number;

  @IntegerField({ description: 'Reserved or charged of it.', example: 1250 })
  used_this_month!: number;

  @IntegerField({ description: 'What is left of it.', example: 18_750 })
  remaining!: number;

  @NumberField({ description: '0 to 100, with at most two decimals.', example: 6.25, min: 0, max: 100 })
  usage_percentage!: number;

  @IntegerField({ description: 'Days until the month turns, today included.', example: 10 })
  days_left_in_month!: number;
}

export function teamCreditsView(credits: TeamCredits): TeamCreditsView {
  return {
    plan: credits.plan,
    monthly_allocation: credits.monthlyAllocation,
    used_this_month: credits.usedThisMonth,
    remaining: credits.remaining,
    usage_percentage: credits.usagePercentage,
    days_left_in_month: credits.daysLeftInMonth,
  };
}
