import type { PostgresOperatorViews } from '#adapters/postgres';
import { monthOf, periodOf, type Month, type Period } from '#credits';
import { csvRow, invalidField } from '#kernel';
import { IntegerField, ListField, NumberField, TextField } from '../http/index.ts';

/** Two years. */
const MAX_DAYS = 731;
const MONTH = {
  required: false,
  pattern: /^2[0-9]{3}-(?:0[1-9]|1[0-2])$/,
  patternMeans: 'a month such as 2026-10',
  example: '2026-11',
} as const;

export class ModelUsageQuery {
  @TextField('The first month; by default the current one.', MONTH) from?: string;
  @TextField('The last month; by default the current one.', MONTH) to?: string;
}

export class ModelUsageDto {
  @TextField('When the generations were requested, UTC.', { example: '2026-11' }) month!: string;
  @TextField('Id of the model; it may no longer be in the catalogue.', { example: 'fluw' }) model!: string;
  @IntegerField('Generations, also those that have not ended.', { example: 120 }) uses!: number;
  @IntegerField('Generations that succeeded.', { example: 112 }) succeeded!: number;
  @IntegerField('Generations that failed; their credits came back.', { example: 5 }) failed!: number;
  @IntegerField('Generations that were canceled; their credits came back.', { example: 3 }) canceled!: number;
  @NumberField('Half of the successful runs took no longer; null without one.', { example: 4.2, nullable: true })
  p50_seconds!: number | null;
  @NumberField('95 of 100 successful runs took no longer; null without one.', { example: 9.8, nullable: true })
  p95_seconds!: number | null;
  @IntegerField('Credits that were charged.', { example: 448 }) credits!: number;
  @NumberField("Costs that the vendor reported, in the vendor's currency; null where it reported none.", {
    example: 2.8,
    nullable: true,
  })
  vendor_cost!: number | null;
  @IntegerField('Generations that `vendor_cost` includes.', { example: 112 }) vendor_costs!: number;
}

export class ModelUsageResponse {
  @ListField(() => ModelUsageDto, 'For each month and model, the newest month first.') usage!: ModelUsageDto[];
}

type Row = Awaited<ReturnType<PostgresOperatorViews['modelUsage']>>[number];

/** @throws DomainError `validation_failed` for months of the future, in the wrong order, or too many */
export function periodOfQuery({ from, to }: ModelUsageQuery, now: Date): Period {
  const current = monthOf(now);
  for (const [name, month] of Object.entries({ from, to })) {
    if (month !== undefined && month > current) throw invalidField(name, 'must be a month that has begun');
  }
  const last = to ?? current;
  const first = from ?? last;
  const [startAt, endAt] = [periodOf(first as Month).startAt, periodOf(last as Month).endAt];
  if (startAt >= endAt) throw invalidField('from', 'must not be after `to`');
  if (endAt.getTime() - startAt.getTime() > MAX_DAYS * 86_400_000)
    throw invalidField('from', 'must be within two years');
  return { startAt, endAt };
}

/** Thousandths of a second say nothing. */
export function modelUsageDto({ p50_seconds: p50, p95_seconds: p95, ...row }: Row): ModelUsageDto {
  const rounded = (seconds: number | null) => (seconds === null ? null : Math.round(seconds * 100) / 100);
  return { ...row, p50_seconds: rounded(p50), p95_seconds: rounded(p95) };
}

const COLUMNS = [
  ...(['month', 'model', 'uses', 'succeeded', 'failed', 'canceled'] as const),
  ...(['p50_seconds', 'p95_seconds', 'credits', 'vendor_cost', 'vendor_costs'] as const),
] as const satisfies readonly (keyof ModelUsageDto)[];

export function modelUsageCsv(rows: readonly ModelUsageDto[]): string {
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column]))].map(csvRow).join('');
}
