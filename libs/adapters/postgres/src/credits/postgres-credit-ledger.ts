import type { Balance, CreditLedger, Grant, Month, Reservation } from '#credits';
import { DomainError } from '#kernel';
import type { Database } from '../database.ts';

/**
 * Every effect is one statement, so that an entry and the sums it changes can't come apart. The sums' rows are
 * what concurrent calls wait for: first the month's, then the member's.
 */
export class PostgresCreditLedger implements CreditLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async reserve(reservation: Reservation, monthlyCredits: number): Promise<'reserved' | 'insufficient'> {
    const { workspaceId, userId, generationId, month, amount } = reservation;
    const values = [workspaceId, userId, generationId, firstDay(month), amount, monthlyCredits];
    const answer = await this.#database.one<{ reserved: boolean }>(RESERVE, values).catch(refuseSecond);
    return answer?.reserved ? 'reserved' : 'insufficient';
  }

  async settle(generationId: number): Promise<number> {
    return (await this.#database.one<{ amount: number }>(SETTLE, [generationId]))?.amount ?? 0;
  }

  async release(generationId: number): Promise<number> {
    return (await this.#database.one<{ amount: number }>(RELEASE, [generationId]))?.amount ?? 0;
  }

  async grant({ key, workspaceId, month, amount, reason }: Grant): Promise<void> {
    await this.#database.query(GRANT, [key, workspaceId, firstDay(month), amount, reason]);
  }

  async balance(workspaceId: number, month: Month, monthlyCredits: number): Promise<Balance> {
    const sums = await this.#database.one<{ used: number; granted: number }>(SUMS, [
      workspaceId,
      firstDay(month),
    ]);
    return { allocation: monthlyCredits + (sums?.granted ?? 0), used: sums?.used ?? 0 };
  }
}

function firstDay(month: Month): string {
  return `${month}-01`;
}

function refuseSecond(error: unknown): never {
  if (error instanceof Error && 'constraint' in error && error.constraint === 'credit_entries_key_key') {
    throw new DomainError('conflict', 'these credits are being reserved already; try again', {
      cause: error,
    });
  }
  throw error;
}

// The statement's own snapshot can be older than the balance that its upsert finds, and both paths of the upsert
// check the limit. A reservation that appeared since that snapshot breaks on the unique key, and with it all.
const RESERVE = `
  with spent as (
    insert into credit_months as balance (workspace_id, month, used)
    select $1, $4::date, $5::integer
    where not exists (select from credit_entries where key = 'reserve:' || $3::bigint)
      and $5::integer <= $6::bigint
        + coalesce((select granted from credit_months where workspace_id = $1 and month = $4::date), 0)
    on conflict (workspace_id, month) do update set used = balance.used + excluded.used
    where excluded.used <= greatest($6::bigint + balance.granted - balance.used, 0)
    returning workspace_id
  ), entry as (
    insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
    select 'reserve:' || $3::bigint, $1, $2, $3, $4::date, 'reserve', $5::integer, now() from spent
  ), usage as (
    insert into credit_usage as usage (workspace_id, month, user_id, used, generations)
    select $1, $4::date, $2, $5::integer, 1 from spent
    on conflict (workspace_id, month, user_id) do update
    set used = usage.used + excluded.used, generations = usage.generations + 1
  )
  select exists (select from spent)
    or exists (select from credit_entries where key = 'reserve:' || $3::bigint) as reserved`;

// Both ends of a reservation have the same key: whichever comes first is the only one.
const END = `
  insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
  select 'end:' || generation_id, workspace_id, user_id, generation_id, month`;

const SETTLE = `
  with settled as (
    ${END}, 'settle', 0, now() from credit_entries where key = 'reserve:' || $1::bigint
    on conflict (key) do nothing
    returning generation_id
  )
  select amount from credit_entries where key = 'reserve:' || (select generation_id from settled)`;

const RELEASE = `
  with released as (
    ${END}, 'release', -amount, now() from credit_entries where key = 'reserve:' || $1::bigint
    on conflict (key) do nothing
    returning workspace_id, month, user_id, amount
  ), month as (
    update credit_months set used = used + released.amount from released
    where (credit_months.workspace_id, credit_months.month) = (released.workspace_id, released.month)
    returning released.*
  ), usage as (
    update credit_usage set used = used + month.amount, generations = generations - 1 from month
    where (credit_usage.workspace_id, credit_usage.month, credit_usage.user_id)
      = (month.workspace_id, month.month, month.user_id)
  )
  select -amount as amount from released`;

const GRANT = `
  with entry as (
    insert into credit_entries (key, workspace_id, month, kind, amount, reason, created_at)
    values ('grant:' || $1, $2, $3::date, 'grant', $4, $5, now())
    on conflict (key) do nothing
    returning workspace_id, month, amount
  )
  insert into credit_months as balance (workspace_id, month, used, granted)
  select workspace_id, month, 0, amount from entry
  on conflict (workspace_id, month) do update set granted = balance.granted + excluded.granted`;

const SUMS = `select used, granted from credit_months where workspace_id = $1 and month = $2::date`;
