import { sql } from 'kysely';
import type { CreditViews, Month, Usage, UsageGroup } from '#credits';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';

interface UsageValues {
  readonly workspaceId: number;
  /** Its first day. */
  readonly month: string;
  readonly onlyUserId: number | null;
  readonly onlyCustomer: string | null;
  readonly withoutCustomer: boolean;
  readonly byDay: boolean;
  readonly byModel: boolean;
  readonly byUser: boolean;
  readonly byCustomer: boolean;
}

/** One statement for all groupings. Credits that a charge or a release returns count for the day of the generation. */
const readUsage = prepared<UsageValues>()((param) => {
  const grouped = <T>(by: keyof UsageValues & `by${string}`, value: string) =>
    sql<T | null>`case when ${param(by)}::boolean then ${sql.raw(value)} end`;
  const entries = build
    .selectFrom('credit_entries as entry')
    .innerJoin('generations as generation', 'generation.id', 'entry.generation_id')
    .innerJoin('users', 'users.id', 'generation.user_id')
    .select([
      grouped<string>('byDay', `to_char(generation.created_at at time zone 'utc', 'YYYY-MM-DD')`).as('day'),
      grouped<string>('byModel', 'generation.model').as('model'),
      grouped<number>('byUser', 'users.id').as('userId'),
      grouped<string>('byUser', 'users.email').as('email'),
      grouped<string>('byCustomer', 'entry.customer').as('customer'),
      'entry.amount',
      sql<number>`case when generation.state in ('queued', 'running') then entry.amount else 0 end`.as('open'),
      sql<number>`case entry.kind when 'reserve' then 1 when 'release' then -1 else 0 end`.as('step'),
    ])
    .where((eb) => eb.and({ 'entry.workspace_id': param('workspaceId'), 'entry.month': param('month') }))
    .where('entry.kind', '=', sql<'reserve'>`any('{reserve,settle,release}')`)
    .where((eb) => {
      const only = sql<number | null>`${param('onlyUserId')}::bigint`;
      return eb.or([eb(only, 'is', null), eb('entry.user_id', '=', only)]);
    })
    .where((eb) => {
      const only = sql<string | null>`${param('onlyCustomer')}::text`;
      return eb.or([eb(only, 'is', null), eb('entry.customer', '=', only)]);
    })
    .where((eb) => eb.or([sql<boolean>`not ${param('withoutCustomer')}::boolean`, eb('entry.customer', 'is', null)]));
  return build
    .selectFrom(entries.as('entry'))
    .select(['day', 'model', 'userId', 'email', 'customer'])
    .select(sql<number>`sum(amount)`.as('used'))
    .select(sql<number>`sum(open)`.as('reserved'))
    .select(sql<number>`sum(step)`.as('generations'))
    .groupBy(['day', 'model', 'userId', 'email', 'customer'])
    .having(sql<number>`sum(step)`, '>', 0)
    .orderBy('day')
    .orderBy('used', 'desc')
    .orderBy('model')
    .orderBy('userId')
    .orderBy('customer');
});

/** The sums that are kept of customers: their entries are too many to be added up for a request. */
const readCustomers = prepared<{ workspaceId: number; month: string; limit: number }>()((param) =>
  build
    .selectFrom('customer_credits')
    .select(['customer', 'used', 'reserved', 'generations'])
    .select(sql<number>`(sum(used) over ())::bigint`.as('totalUsed'))
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), month: param('month') }))
    .where('generations', '>', 0)
    .orderBy('used', 'desc')
    .orderBy('customer')
    .limit(param('limit')),
);

const NOTHING_USED: Usage = { totalUsed: 0, entries: [] };
const NOT_GROUPED = { day: null, model: null, userId: null, email: null };

export class PostgresCreditViews implements CreditViews {
  constructor(private readonly database: Database) {}

  async usedOfBudgets(tokenIds: readonly number[], month: Month): Promise<ReadonlyMap<number, number>> {
    const rows = await this.database.kysely
      .selectFrom('token_budgets')
      .select(['token_id', 'used'])
      .where('token_id', 'in', [0, ...tokenIds])
      .where('month', '=', `${month}-01`)
      .execute();
    return new Map(rows.map(({ token_id: tokenId, used }) => [tokenId, used]));
  }

  async usage(
    workspaceId: number,
    month: Month,
    groupBy: readonly UsageGroup[],
    { userId, customer, limit }: Parameters<CreditViews['usage']>[3],
  ): Promise<Usage> {
    const isByCustomerOnly = groupBy.join() === 'customer' && userId === null && customer === undefined;
    // The sums of customers are kept; only generations without a customer are added up then.
    const reading = this.database.run(readUsage, {
      workspaceId,
      month: `${month}-01`,
      onlyUserId: userId,
      onlyCustomer: customer ?? null,
      withoutCustomer: isByCustomerOnly,
      byDay: groupBy.includes('day'),
      byModel: groupBy.includes('model'),
      byUser: groupBy.includes('user'),
      byCustomer: groupBy.includes('customer'),
    });
    const [added, kept] = await Promise.all([
      reading,
      isByCustomerOnly ? this.#customers(workspaceId, month, limit) : NOTHING_USED,
    ]);
    const entries = [...kept.entries, ...added];
    if (isByCustomerOnly) entries.sort((one, other) => other.used - one.used);
    return { totalUsed: added.reduce((sum, { used }) => sum + used, kept.totalUsed), entries: entries.slice(0, limit) };
  }

  async #customers(workspaceId: number, month: Month, limit = Number.MAX_SAFE_INTEGER): Promise<Usage> {
    const rows = await this.database.run(readCustomers, { workspaceId, month: `${month}-01`, limit });
    const entries = rows.map(({ totalUsed: _, ...sums }) => ({ ...NOT_GROUPED, ...sums }));
    return { totalUsed: rows[0]?.totalUsed ?? 0, entries };
  }
}
