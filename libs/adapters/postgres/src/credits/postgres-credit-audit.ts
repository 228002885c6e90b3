import { sql } from 'kysely';
import type { CreditAudit, CreditFault } from '#credits';
import type { Database } from '../database.ts';
import { ALL_MONTHS } from './postgres-credit-ledger.ts';

export class PostgresCreditAudit implements CreditAudit {
  constructor(private readonly database: Database) {}

  async faults(): Promise<CreditFault[]> {
    return (await sql.raw<CreditFault>(CREDIT_FAULTS).execute(this.database.kysely)).rows;
  }

  async rebuildSums(): Promise<void> {
    for (const statement of REBUILD) await sql.raw(statement).execute(this.database.kysely);
  }
}

const MONTH_SUMS = `
  select workspace_id, month,
    coalesce(sum(amount) filter (where kind <> 'grant'), 0) as used,
    coalesce(sum(amount) filter (where kind = 'grant'), 0) as granted
  from credit_entries group by workspace_id, month`;

const MEMBER_SUMS = `
  select workspace_id, month, user_id, sum(amount) as used,
    count(*) filter (where kind = 'reserve') - count(*) filter (where kind = 'release') as generations
  from credit_entries where kind <> 'grant' group by workspace_id, month, user_id`;

/** Budgets of tokens that exist: others are of no use any more. */
const BUDGET_SUMS = `
  select token.id as token_id, entry.month, sum(entry.amount) as used, max(token.monthly_credits) as monthly_credits
  from credit_entries entry cross join unnest(entry.token_ids) counted (token_id)
  join api_tokens token on token.id = counted.token_id
  group by token.id, entry.month`;

const CUSTOMER_SUMS = `
  select entry.workspace_id, entry.customer, sums.month, sum(entry.amount) as used,
    coalesce(sum(entry.amount) filter (where entry.kind = 'reserve' and ending.id is null), 0) as reserved,
    count(*) filter (where entry.kind = 'reserve') - count(*) filter (where entry.kind = 'release') as generations
  from credit_entries entry
  cross join lateral (values ('${ALL_MONTHS}'::date), (entry.month)) sums (month)
  left join credit_entries ending on ending.key = 'end:' || entry.generation_id
  where entry.customer is not null
  group by entry.workspace_id, entry.customer, sums.month`;

const REBUILD = [
  // Locks in the order of the ledger's writers: the sums, then the entries.
  'lock table credit_months, customer_credits, token_budgets, credit_usage, credit_entries in exclusive mode',
  'delete from credit_months',
  'delete from credit_usage',
  `insert into credit_months (workspace_id, month, used, granted) ${MONTH_SUMS}`,
  `insert into credit_usage (workspace_id, month, user_id, used, generations) ${MEMBER_SUMS}`,
  'delete from token_budgets where token_id in (select id from api_tokens)',
  // A budget that is exceeded allows no more; its limit is set again by the next reservation.
  `insert into token_budgets (token_id, month, used, monthly_credits)
   select token_id, month, used, greatest(used, monthly_credits) from (${BUDGET_SUMS}) sums`,
  `insert into customers (workspace_id, customer, created_at)
   select workspace_id, customer, now() from (${CUSTOMER_SUMS}) sums group by workspace_id, customer
   on conflict do nothing`,
  'delete from customer_credits',
  `insert into customer_credits (workspace_id, customer, month, credits, used, reserved, generations)
   select workspace_id, customer, month, null, used, reserved, generations from (${CUSTOMER_SUMS}) sums`,
];

/** Finds every fault of the ledger. The entries of a workspace that is being erased go first, its sums with it. */
export const CREDIT_FAULTS = `
  with month_sums as (${MONTH_SUMS}
  ), member_sums as (${MEMBER_SUMS}
  ), budget_sums as (${BUDGET_SUMS}
  ), customer_sums as (${CUSTOMER_SUMS}
  ), kept_budgets as (
    select token_id, month, used from token_budgets where token_id in (select id from api_tokens)
  ), ends as (
    select ending.workspace_id, ending.month, ending.generation_id,
      case when reservation.id is null then null
        when ending.kind = 'release' then -reservation.amount
        -- A charge may return a part of the reservation.
        else least(greatest(ending.amount, -reservation.amount), 0) end as due,
      ending.amount as given
    from credit_entries ending
    left join credit_entries reservation on reservation.key = 'reserve:' || ending.generation_id
      and (reservation.workspace_id, reservation.month, reservation.user_id)
        = (ending.workspace_id, ending.month, ending.user_id)
    where ending.kind in ('settle', 'release')
  ), faults as (
    select 'month_used' as rule, workspace_id, month, null::bigint as about,
      coalesce(sums.used, 0) as expected, coalesce(kept.used, 0) as found
    from month_sums sums full join credit_months kept using (workspace_id, month)
    union all
    select 'month_granted', workspace_id, month, null, coalesce(sums.granted, 0), coalesce(kept.granted, 0)
    from month_sums sums full join credit_months kept using (workspace_id, month)
    union all
    select 'member_used', workspace_id, month, user_id, coalesce(sums.used, 0), coalesce(kept.used, 0)
    from member_sums sums full join credit_usage kept using (workspace_id, month, user_id)
    union all
    select 'member_generations', workspace_id, month, user_id,
      coalesce(sums.generations, 0), coalesce(kept.generations, 0)
    from member_sums sums full join credit_usage kept using (workspace_id, month, user_id)
    union all
    select 'reservation_end', workspace_id, month, generation_id, due, given from ends
    union all
    select 'reservation_ends', workspace_id, month, generation_id, 1, count(*)
    from ends group by workspace_id, month, generation_id
    union all
    select 'budget_used', null, month, token_id, coalesce(sums.used, 0), coalesce(kept.used, 0)
    from budget_sums sums full join kept_budgets kept using (token_id, month)
    union all
    select each.name, workspace_id, month, null, coalesce(each.sum, 0), coalesce(each.kept, 0)
    from customer_sums sums full join customer_credits kept using (workspace_id, customer, month),
      lateral (values ('customer_used', sums.used, kept.used), ('customer_reserved', sums.reserved, kept.reserved),
        ('customer_generations', sums.generations, kept.generations)) each (name, sum, kept)
  )
  select rule, workspace_id as "workspaceId", to_char(month, 'YYYY-MM') as month, about,
    expected::bigint as expected, found::bigint as found
  from faults where expected is distinct from found
    and not exists (select from workspaces w where w.id = faults.workspace_id and w.erasure_requested_at is not null)
  order by rule, workspace_id, month, about`;
