import { sql, type Expression, type Kysely, type RawBuilder } from 'kysely';
import {
  BudgetExceeded,
  LOW_PERCENTS,
  type Balance,
  type Charge,
  type CreditLedger,
  type Grant,
  type Month,
  type Reservation,
} from '#credits';
import type { EventFacts } from '#events';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';
import { anyOf, build, prepared, type Param } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { added, excluded, insertFrom, refs } from '../shapes.ts';

/**
 * Each change is one statement, so that an entry and its sums are written together. Concurrent calls lock the rows of the
 * sums in one order: the month's row, the rows of customers, the rows of budgets by token, the member's row.
 */
export class PostgresCreditLedger implements CreditLedger {
  constructor(private readonly database: Database) {}

  reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'> {
    return this.reserveAll([reservation], monthlyCredits);
  }

  async reserveAll(reservations: readonly Reservation[], monthlyCredits: number): Promise<'reserved' | 'insufficient'> {
    const { workspaceId, userId, month, budgets = [] } = reservations[0]!;
    const amounts = reservations.map(({ amount }) => amount);
    const values: ReserveValues = {
      workspaceId,
      userId,
      month: firstDay(month),
      monthlyCredits,
      generationIds: reservations.map(({ generationId }) => generationId),
      amounts,
      count: amounts.length,
      amount: amounts.reduce((sum, amount) => sum + amount, 0),
      keys: reservations.map(({ generationId }) => keysOf(generationId).reserveKey),
      customers: reservations.map(({ customer = null }) => customer),
      tokenIds: budgets.length > 0 ? budgets.map(({ tokenId }) => tokenId) : null,
      limits: budgets.map((budget) => budget.monthlyCredits),
      lowPercents: LOW_PERCENTS,
    };
    const result = await this.database.one(reserve, values).catch(throwRefusal);
    return result?.reserved ? 'reserved' : 'insufficient';
  }

  async charge(generationId: number, amount: number | null = null): Promise<Charge> {
    const charged = await this.database.one(charge, { ...keysOf(generationId), charge: amount });
    return charged ?? { charged: 0, released: 0 };
  }

  async release(generationId: number): Promise<number> {
    return (await this.database.one(release, keysOf(generationId)))?.amount ?? 0;
  }

  grant({ key, month, ...grant }: Grant): Promise<boolean> {
    return this.database.any(insertGrant, { ...grant, key: `grant:${key}`, month: firstDay(month) });
  }

  async balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance> {
    const sums = await this.database.one(readSums, { workspaceId, month: firstDay(month) });
    return { allocation: monthlyCredits + (sums?.granted ?? 0), used: sums?.used ?? 0 };
  }
}

function firstDay(month: Month): string {
  return `${month}-01`;
}

interface Keys {
  readonly reserveKey: string;
  /** The common key of charge and release. */
  readonly endKey: string;
}

function keysOf(generationId: number): Keys {
  return { reserveKey: `reserve:${generationId}`, endKey: `end:${generationId}` };
}

function throwRefusal(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error && error.constraint;
  if (constraint === 'credit_entries_key_key') {
    throw new DomainError('conflict', 'these credits are being reserved already; try again', { cause: error });
  }
  if (constraint === 'token_budgets_used_check') {
    const message = 'this costs more credits than the monthly budget of the API token has left';
    throw new BudgetExceeded('token', message, error);
  }
  if (constraint === 'customer_credits_used_check') {
    throw new BudgetExceeded('customer', 'this costs more credits than the budget of the customer has left', error);
  }
  throw error;
}

interface CreditMonthRow {
  readonly workspace_id: number;
  readonly used: number;
  readonly granted: number;
}

interface ReserveValues extends Pick<Reservation, 'workspaceId' | 'userId'> {
  /** Its first day. */
  month: string;
  monthlyCredits: number;
  /** The generations with their amounts and the keys of their entries, and the sum of the amounts. */
  generationIds: readonly number[];
  amounts: readonly number[];
  keys: readonly string[];
  customers: readonly (string | null)[];
  count: number;
  amount: number;
  tokenIds: readonly number[] | null;
  limits: readonly number[];
  lowPercents: readonly number[];
}

const partsOf = (param: Param<ReserveValues>) =>
  sql<{ generation_id: number; amount: number; key: string; customer: string | null }>`unnest(
    ${param('generationIds')}::bigint[], ${param('amounts')}::integer[], ${param('keys')}::text[],
    ${param('customers')}::text[])`.as<'part'>(sql`part (generation_id, amount, key, customer)`);

/** The sums of all months of a customer are kept under this month. */
export const ALL_MONTHS = '0001-01-01';

/** The customers of a reservation, with the credits reserved for each and what is known of them. */
const customersOf = (param: Param<ReserveValues>) =>
  build
    .selectFrom(partsOf(param))
    .leftJoin('customers', (join) =>
      join.on('customers.workspace_id', '=', param('workspaceId')).on(sql<boolean>`customers.customer = part.customer`),
    )
    .where('part.customer', 'is not', null)
    .groupBy(['part.customer', 'customers.id'])
    .select(['part.customer', 'customers.id', 'customers.monthly_credits', 'customers.total_credits'])
    .select(sql<number>`sum(part.amount)`.as('amount'))
    .select(sql<number>`count(*)`.as('generations'))
    .as('each');

const now = sql<Date>`now()`;

const budgetsOf = (tokenIds: Expression<readonly number[] | null>, limits: Expression<readonly number[]>) =>
  sql<{ token_id: number; monthly_credits: number }>`unnest(${tokenIds}::bigint[], ${limits}::integer[])`.as<'budget'>(
    sql`budget (token_id, monthly_credits)`,
  );

/** Records once a month that few credits are left: of those that `spent` has taken the last of a share. */
const recordLowCredits = (db: Kysely<Tables & { spent: CreditMonthRow }>, param: Param<ReserveValues>) => {
  const allocation = sql<number>`(${param('monthlyCredits')}::bigint + spent.granted)`;
  const isAt = (used: RawBuilder<number>) =>
    sql<boolean>`(${allocation} - ${used}) * 100 <= ${allocation} * low.percent`;
  return insertFrom(
    db.insertInto('events'),
    (eb) =>
      eb
        .selectFrom([
          'spent',
          sql<{ percent: number }>`unnest(${param('lowPercents')}::integer[])`.as<'low'>(sql`low (percent)`),
        ])
        .where(isAt(sql`spent.used`))
        .where((where) => where.not(isAt(sql`(spent.used - ${param('amount')}::integer)`))),
    (low) => ({
      workspace_id: low.ref('spent.workspace_id'),
      type: sql<'credits.low'>`'credits.low'`,
      subject_id: sql<string>`spent.workspace_id::text`,
      facts: sql<EventFacts>`jsonb_build_object('percent', low.percent, 'purchased', ${allocation}, 'used', spent.used,
        'available', ${allocation} - spent.used)`,
      key: sql<string>`'credits ' || ${param('month')} || ' ' || low.percent`,
      created_at: now,
    }),
  ).onConflict((conflict) => conflict.columns(['workspace_id', 'key']).where('key', 'is not', null).doNothing());
};

/**
 * A generation is reserved once (`credit_entries_key_key`), and the use of a month never exceeds its allocation.
 *
 * The snapshot of the statement can be older than the balance that its upsert finds, so both paths of the upsert check the
 * limit. A reservation committed after that snapshot violates the unique key, which undoes the whole statement.
 *
 * A token never spends more than its budget in a month (`token_budgets_used_check`), and a customer never more than theirs
 * in a month and in all (`customer_credits_used_check`). A label becomes a customer with its first reservation.
 */
const reserve = prepared<ReserveValues>()((param) => {
  const amount = sql<number>`${param('amount')}::integer`;
  const monthlyCredits = sql<number>`${param('monthlyCredits')}::bigint`;
  const reserved = build.selectFrom('credit_entries').where('key', '=', anyOf(param('keys'), 'text'));
  const granted = build
    .selectFrom('credit_months')
    .select('granted')
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), month: param('month') }));
  return build
    .with('spent', (db) =>
      db
        .insertInto('credit_months')
        .columns(['workspace_id', 'month', 'used'])
        .expression(
          build
            .selectNoFrom([param('workspaceId').as('workspace_id'), param('month').as('month'), amount.as('used')])
            .where((eb) => eb.not(eb.exists(reserved)))
            .where(amount, '<=', sql<number>`${monthlyCredits} + coalesce((${granted}), 0)`),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'month'])
            .doUpdateSet(added('credit_months', 'used'))
            .where(
              'excluded.used',
              '<=',
              sql<number>`greatest(${monthlyCredits} + credit_months.granted - credit_months.used, 0)`,
            ),
        )
        .returning(['credit_months.workspace_id', 'credit_months.used', 'credit_months.granted']),
    )
    .with('low', (db) => recordLowCredits(db as never, param))
    .with('entry', (db) =>
      insertFrom(
        db.insertInto('credit_entries'),
        (eb) => eb.selectFrom('spent').innerJoin(partsOf(param), (join) => join.onTrue()),
        (part) => ({
          ...param.columns('workspaceId', 'userId', 'month', 'tokenIds'),
          ...refs(part, 'part', 'generation_id', 'amount', 'key', 'customer'),
          kind: 'reserve' as const,
          created_at: now,
        }),
      ),
    )
    .with('usage', (db) =>
      insertFrom(
        db.insertInto('credit_usage'),
        (eb) => eb.selectFrom('spent'),
        () => ({
          ...param.columns('workspaceId', 'month', 'userId'),
          used: param('amount'),
          generations: param('count'),
        }),
      ).onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'month', 'user_id'])
          .doUpdateSet(added('credit_usage', 'used', 'generations')),
      ),
    )
    .with('budgets', (db) =>
      insertFrom(
        db.insertInto('token_budgets'),
        (eb) => eb.selectFrom(['spent', budgetsOf(param('tokenIds'), param('limits'))]).orderBy('budget.token_id'),
        (budget) => ({
          ...refs(budget, 'budget', 'token_id', 'monthly_credits'),
          month: param('month'),
          used: param('amount'),
        }),
      ).onConflict((conflict) =>
        conflict
          .columns(['token_id', 'month'])
          .doUpdateSet({ ...added('token_budgets', 'used'), ...excluded('token_budgets', 'monthly_credits') }),
      ),
    )
    .with('new_customers', (db) =>
      insertFrom(
        db.insertInto('customers'),
        (eb) =>
          eb
            .selectFrom(['spent', customersOf(param)])
            .where('each.id', 'is', null)
            .orderBy('each.customer'),
        (each) => ({
          workspace_id: param('workspaceId'),
          customer: each.ref('each.customer').$notNull(),
          created_at: now,
        }),
      ).onConflict((conflict) => conflict.doNothing()),
    )
    .with('of_customers', (db) =>
      insertFrom(
        db.insertInto('customer_credits'),
        (eb) =>
          eb
            .selectFrom(['spent', customersOf(param)])
            .innerJoin(
              sql<{ month: string }>`(values (${sql.lit(ALL_MONTHS)}::date), (${param('month')}::date))`.as<'sums'>(
                sql`sums (month)`,
              ),
              (join) => join.onTrue(),
            )
            .orderBy('each.customer')
            .orderBy('sums.month'),
        (each) => ({
          workspace_id: param('workspaceId'),
          customer: each.ref('each.customer').$notNull(),
          month: each.ref('sums.month'),
          credits: sql<number>`case when sums.month = ${sql.lit(ALL_MONTHS)} then each.total_credits else each.monthly_credits end`,
          used: each.ref('each.amount'),
          reserved: each.ref('each.amount'),
          generations: each.ref('each.generations'),
        }),
      ).onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'customer', 'month'])
          .doUpdateSet({
            ...added('customer_credits', 'used', 'reserved', 'generations'),
            ...excluded('customer_credits', 'credits'),
          }),
      ),
    )
    .selectNoFrom((eb) => eb.or([eb.exists(eb.selectFrom('spent')), eb.exists(reserved)]).as('reserved'));
});

const ENTRY = ['workspace_id', 'user_id', 'generation_id', 'month', 'token_ids', 'customer'] as const;

/** A reservation ends once, by a charge or a release: both ends have the same key (`credit_entries_key_key`). */
function insertEnd(param: Param<Keys>, kind: 'settle' | 'release', amount: RawBuilder<number>) {
  return insertFrom(
    build.insertInto('credit_entries'),
    (eb) => eb.selectFrom('credit_entries as reservation').where('key', '=', param('reserveKey')),
    (reservation) => ({
      key: param('endKey'),
      ...refs(reservation, 'reservation', ...ENTRY),
      kind,
      amount,
      created_at: now,
    }),
  ).onConflict((conflict) => conflict.column('key').doNothing());
}

/** Subtracts the returned credits from the sums. A charge that returns none does not wait for the row of the month. */
function endReservation(param: Param<Keys>, kind: 'settle' | 'release', amount: RawBuilder<number>) {
  return build
    .with('ended', () =>
      insertEnd(param, kind, amount).returning(['workspace_id', 'month', 'user_id', 'amount', 'token_ids', 'customer']),
    )
    .with('month', (db) =>
      db
        .updateTable('credit_months')
        .from('ended')
        .set((eb) => ({ used: eb('used', '+', eb.ref('ended.amount')) }))
        .whereRef('credit_months.workspace_id', '=', 'ended.workspace_id')
        .whereRef('credit_months.month', '=', 'ended.month')
        .where((eb) => (kind === 'release' ? sql.lit(true) : eb('ended.amount', '<>', 0)))
        .returning(['ended.workspace_id', 'ended.month', 'ended.user_id', 'ended.amount', 'ended.token_ids']),
    )
    .with('usage', (db) =>
      db
        .updateTable('credit_usage')
        .from('month')
        .set((eb) => ({
          used: eb('used', '+', eb.ref('month.amount')),
          generations: eb('generations', '-', kind === 'release' ? 1 : 0),
        }))
        .whereRef('credit_usage.workspace_id', '=', 'month.workspace_id')
        .whereRef('credit_usage.month', '=', 'month.month')
        .whereRef('credit_usage.user_id', '=', 'month.user_id'),
    )
    .with('counted', (db) =>
      db
        .selectFrom('token_budgets')
        .innerJoin('month', 'month.month', 'token_budgets.month')
        .select(['token_budgets.token_id', 'token_budgets.month', 'month.amount'])
        .where(sql<boolean>`token_budgets.token_id = any(month.token_ids)`)
        .orderBy('token_budgets.token_id')
        .forNoKeyUpdate('token_budgets'),
    )
    .with('budgets', (db) =>
      db
        .updateTable('token_budgets')
        .from('counted')
        .set((eb) => ({ used: eb('used', '+', eb.ref('counted.amount')) }))
        .whereRef('token_budgets.token_id', '=', 'counted.token_id')
        .whereRef('token_budgets.month', '=', 'counted.month'),
    )
    .with('sums', (db) =>
      db
        .selectFrom('ended')
        .innerJoin('credit_entries as reservation', (join) => join.on('reservation.key', '=', param('reserveKey')))
        .innerJoin('customer_credits', (join) =>
          join
            .onRef('customer_credits.workspace_id', '=', 'ended.workspace_id')
            .onRef('customer_credits.customer', '=', 'ended.customer')
            .on(sql<boolean>`customer_credits.month in (${sql.lit(ALL_MONTHS)}, ended.month)`),
        )
        // The row of the month is locked first.
        .leftJoin('month', (join) => join.onTrue())
        .select(['customer_credits.workspace_id', 'customer_credits.customer', 'customer_credits.month'])
        .select(['ended.amount', 'reservation.amount as reserved'])
        .orderBy('customer_credits.month')
        .forNoKeyUpdate('customer_credits'),
    )
    .with('of_customer', (db) =>
      db
        .updateTable('customer_credits')
        .from('sums')
        .set((eb) => ({
          used: eb('customer_credits.used', '+', eb.ref('sums.amount')),
          reserved: eb('customer_credits.reserved', '-', eb.ref('sums.reserved')),
          generations: eb('customer_credits.generations', '-', kind === 'release' ? 1 : 0),
        }))
        .whereRef('customer_credits.workspace_id', '=', 'sums.workspace_id')
        .whereRef('customer_credits.customer', '=', 'sums.customer')
        .whereRef('customer_credits.month', '=', 'sums.month'),
    );
}

// A charge is stored as `settle`, the word that processes of the previous version use during an upgrade. Its amount is
// the negative of the returned credits.
const charge = prepared<Keys & { charge: number | null }>()((param) =>
  endReservation(param, 'settle', sql`least(coalesce(${param('charge')}::integer, amount), amount) - amount`)
    .selectFrom('credit_entries')
    .innerJoin('ended', (join) => join.onTrue())
    .select(sql<number>`credit_entries.amount + ended.amount`.as('charged'))
    .select(sql<number>`-ended.amount`.as('released'))
    .where('key', '=', param('reserveKey')),
);

const release = prepared<Keys>()((param) =>
  endReservation(param, 'release', sql`-amount`)
    .selectFrom('ended')
    .select(sql<number>`-amount`.as('amount')),
);

/** A grant counts once (`credit_entries_key_key`). */
const insertGrant = prepared<Omit<Grant, 'month'> & { month: string }>()((param) => {
  const ledger = build.with('entry', (db) =>
    db
      .insertInto('credit_entries')
      .values({ ...param.columns('key', 'workspaceId', 'month', 'amount', 'reason'), kind: 'grant', created_at: now })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning(['workspace_id', 'month', 'amount']),
  );
  return insertFrom(
    ledger.insertInto('credit_months'),
    (eb) => eb.selectFrom('entry'),
    (entry) => ({ ...refs(entry, 'entry', 'workspace_id', 'month'), used: 0, granted: entry.ref('amount') }),
  )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'month']).doUpdateSet(added('credit_months', 'granted')),
    )
    .returning('credit_months.workspace_id');
});

const readSums = prepared<{ workspaceId: number; month: string }>()((param) =>
  build
    .selectFrom('credit_months')
    .select(['used', 'granted'])
    .where((eb) => eb.and({ workspace_id: param('workspaceId'), month: param('month') })),
);
