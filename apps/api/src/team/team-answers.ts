import { type Role, ROLES } from '#kernel';
import type { Period } from '#credits';
import type { MemberUsage, TeamCredits, TeamInfo, TeamSubscription, TeamUsage } from '#team';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ListField,
  ObjectField,
  TextField,
  TimeField,
} from '../http/index.ts';
import { TeamCreditsView, teamCreditsView } from './team-credits-view.ts';

export class TeamInfoAnswer {
  @BooleanField({ description: "False in a user's own workspace that is on a team plan.", example: true })
  is_team!: boolean;

  @TextField({ description: 'Identifier of the plan.', example: 'enterprise' })
  plan!: string;

  @ObjectField(() => TeamCreditsView, { description: 'Credits of this month.' })
  credits!: TeamCreditsView;

  @IntegerField({ description: 'Members, the owner included.', example: 3 })
  members_count!: number;

  @BooleanField({ description: 'Whether the caller may add and invite members.', example: true })
  can_add_members!: boolean;

  @TextField({ description: 'E-mail address of the owner.', example: 'grace@example.com' })
  owner!: string;

  @ChoiceField(ROLES, { description: "The caller's role.", example: 'admin' })
  user_level!: Role;

  @IntegerField({ description: "The caller's identifier.", example: 7 })
  user_id!: number;
}

export function teamInfoAnswer(info: TeamInfo): TeamInfoAnswer {
  return {
    is_team: info.isTeam,
    plan: info.credits.plan,
    credits: teamCreditsView(info.credits),
    members_count: info.membersCount,
    can_add_members: info.canAddMembers,
    owner: info.owner,
    user_level: info.role,
    user_id: info.userId,
  };
}

export class SubscriptionView {
  @TextField({ description: 'Identifier of the plan.', example: 'enterprise' })
  plan!: string;

  @TimeField({ description: 'When the current month began.', example: '2026-11-01T00:00:00.000Z' })
  period_start_at!: Date;

  @TimeField({ description: 'When the next month begins.', example: '2026-12-01T00:00:00.000Z' })
  period_end_at!: Date;
}

export class TeamCreditsAnswer {
  @TextField({ description: 'Identifier of the plan.', example: 'enterprise' })
  plan!: string;

  @ObjectField(() => TeamCreditsView, { description: 'Credits of this month.' })
  credits!: TeamCreditsView;

  @ObjectField(() => SubscriptionView, {
    description: 'What the team subscribes to; null on `free`.',
    nullable: true,
  })
  subscription!: SubscriptionView | null;
}

export function teamCreditsAnswer(read: {
  readonly credits: TeamCredits;
  readonly subscription: TeamSubscription | null;
}): TeamCreditsAnswer {
  const { credits, subscription } = read;
  return {
    plan: credits.plan,
    credits: teamCreditsView(credits),
    subscription: subscription && {
      plan: subscription.plan,
      period_start_at: subscription.period.startAt,
      period_end_at: subscription.period.endAt,
    },
  };
}

export class PeriodView {
  @TimeField({ description: 'When the month began.', example: '2026-11-01T00:00:00.000Z' })
  start_at!: Date;

  @TimeField({ description: 'When the next one begins.', example: '2026-12-01T00:00:00.000Z' })
  end_at!: Date;
}

export class MemberUsageView {
  @IntegerField({ description: 'Identifier of the user.', example: 7 })
  user_id!: number;

  @TextField({ description: 'E-mail address.', example: 'ada@example.com' })
  email!: string;

  @ChoiceField(ROLES, { description: 'Role; null for who has left.', example: 'member', nullable: true })
  role!: Role | null;

  @IntegerField({ description: 'Credits reserved or charged.', example: 420 })
  used!: number;

  @IntegerField({ description: 'Generations that those credits are for.', example: 105 })
  generations!: number;
}

export class TeamUsageAnswer {
  @ObjectField(() => PeriodView, { description: 'The calendar month, UTC.' })
  period!: PeriodView;

  @IntegerField({ description: 'Credits of the whole team, reserved or charged.', example: 1250 })
  total_used!: number;

  @ListField(() => MemberUsageView, {
    description: 'Most credits first; people who left count on. A plain member sees themselves alone.',
  })
  members!: MemberUsageView[];
}

export function teamUsageAnswer({
  period,
  totalUsed,
  members,
}: TeamUsage & { readonly period: Period }): TeamUsageAnswer {
  return {
    period: { start_at: period.startAt, end_at: period.endAt },
    total_used: totalUsed,
    members: members.map(memberUsageView),
  };
}

function memberUsageView({ userId, email, role, used, generations }: MemberUsage): MemberUsageView {
  return { user_id: userId, email, role, used, generations };
}
