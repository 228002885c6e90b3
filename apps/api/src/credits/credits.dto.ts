import {
  type CurrentCredits,
  type Month,
  monthOf,
  pastMonth,
  periodOf,
  USAGE_GROUPS,
  type Usage,
  type UsageGroup,
} from '#credits';
import { FREE_PLAN } from '#identity';
import { CustomerField, IntegerField, ListField, ObjectField, TextField, TimeField } from '../http/index.ts';

export class CreditsDto {
  @IntegerField("This month's allocation.", { example: 100 }) purchased!: number;
  @IntegerField('Credits of it that are reserved or charged.', { example: 12 }) used!: number;
  @IntegerField('Credits of it that are left.', { example: 88 }) available!: number;
}

export class StorageDto {
  @IntegerField("Bytes of the workspace's files, without files in the trash.", { example: 734_003_200 })
  used!: number;

  @IntegerField('Bytes that the plan allows; null for no limit.', { example: 5_368_709_120, nullable: true })
  quota!: number | null;
}

export class CreditsResponse {
  @ObjectField(() => CreditsDto, 'Credits of the workspace in this calendar month, UTC.') credits!: CreditsDto;

  @TextField('Identifier of the plan the workspace subscribes to; null on `free`.', { example: 'pro', nullable: true })
  subscription!: string | null;

  @ObjectField(() => StorageDto, 'Storage of the workspace.') storage!: StorageDto;
}

export function creditsResponse(
  plan: string,
  { allocation, used, available }: CurrentCredits,
  storage: StorageDto,
): CreditsResponse {
  const subscription = plan === FREE_PLAN ? null : plan;
  return { credits: { purchased: allocation, used, available }, subscription, storage };
}

export class MonthQuery {
  @TextField('The month; the current one by default.', {
    example: '2026-10',
    pattern: /^\d{4}-\d{2}$/,
    patternMeans: 'a month such as 2026-10',
    required: false,
  })
  month?: string;
}

/** @throws DomainError `validation_failed` for a month of the future */
export function monthOfQuery({ month }: MonthQuery, now: Date): Month {
  return month === undefined ? monthOf(now) : pastMonth(month, now);
}

const GROUP = `(${USAGE_GROUPS.join('|')})`;

export class UsageQuery extends MonthQuery {
  @TextField('What to group by: `day`, `model`, `user` or `customer`, or two of them with a comma. Default: `day`.', {
    example: 'day,model',
    pattern: new RegExp(`^${GROUP}(,${GROUP})?$`),
    patternMeans: 'day, model, user or customer, or two of them with a comma',
    required: false,
  })
  group_by?: string;

  @CustomerField('Only generations for this customer.', { required: false }) customer?: string;

  @IntegerField('Maximum number of sums. Default: all.', { example: 100, min: 1, max: 1000, required: false })
  limit?: number;
}

export function groupsOf({ group_by: groups = 'day' }: UsageQuery): readonly UsageGroup[] {
  return USAGE_GROUPS.filter((group) => groups.split(',').includes(group));
}

export class PeriodDto {
  @TimeField('Start of the month.', { example: '2026-11-01T00:00:00.000Z' }) start_at!: Date;
  @TimeField('Start of the next month.', { example: '2026-12-01T00:00:00.000Z' }) end_at!: Date;
}

export function periodDto(month: Month): PeriodDto {
  const { startAt, endAt } = periodOf(month);
  return { start_at: startAt, end_at: endAt };
}

export class UsageDto {
  @TextField('Day of the generations, UTC; null unless grouped by `day`.', { example: '2026-11-21', nullable: true })
  day!: string | null;

  @TextField('Identifier of the model; null unless grouped by `model`.', { example: 'local-image', nullable: true })
  model!: string | null;

  @IntegerField('Identifier of the user; null unless grouped by `user`.', { example: 7, nullable: true })
  user_id!: number | null;

  @TextField('E-mail address of the user; null unless grouped by `user`, and for a user whose account was deleted.', {
    example: 'ada@example.com',
    nullable: true,
  })
  email!: string | null;

  @TextField('The customer; null unless grouped by `customer`, and for generations without one.', {
    example: 'user-4711',
    nullable: true,
  })
  customer!: string | null;

  @IntegerField('Credits reserved or charged.', { example: 420 }) used!: number;
  @IntegerField('Credits among them that are reserved for generations that have not ended.', { example: 12 })
  reserved!: number;
  @IntegerField('Number of generations that used them.', { example: 105 }) generations!: number;
}

export class UsageResponse {
  @ObjectField(() => PeriodDto, 'The calendar month, UTC.') period!: PeriodDto;
  @IntegerField('Sum of all credits, also of those beyond `limit`.', { example: 1250 }) total_used!: number;

  @ListField(() => UsageDto, 'By day, then most credits first; days without generations are left out.')
  usage!: UsageDto[];
}

export function usageResponse(month: Month, { totalUsed, entries }: Usage): UsageResponse {
  return {
    period: periodDto(month),
    total_used: totalUsed,
    usage: entries.map(({ userId, ...entry }) => ({ user_id: userId, ...entry })),
  };
}
