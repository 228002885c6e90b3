import type { Customer, CustomerProfile, CustomerStore, CustomerView, Month } from '#credits';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Database } from '../database.ts';
import { pageValues } from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';
import { ALL_MONTHS } from './postgres-credit-ledger.ts';

const CUSTOMER = fieldsOf('customers', ['id', 'customer', 'name', 'monthlyCredits', 'totalCredits', 'createdAt']);

/** Customers with their sums in the month and in all. */
const selectCustomers = ({ kysely }: Database, workspaceId: number, month: Month) =>
  kysely
    .selectFrom('customers')
    .leftJoin('customer_credits as month', (join) =>
      join
        .onRef('month.workspace_id', '=', 'customers.workspace_id')
        .onRef('month.customer', '=', 'customers.customer')
        .on('month.month', '=', `${month}-01`),
    )
    .leftJoin('customer_credits as total', (join) =>
      join
        .onRef('total.workspace_id', '=', 'customers.workspace_id')
        .onRef('total.customer', '=', 'customers.customer')
        .on('total.month', '=', ALL_MONTHS),
    )
    .select(CUSTOMER)
    .select(['month.used as monthUsed', 'month.reserved as monthReserved'])
    .select(['total.used as totalUsed', 'total.reserved as totalReserved'])
    .where('customers.workspace_id', '=', workspaceId);

export class PostgresCustomers implements CustomerStore {
  constructor(private readonly database: Database) {}

  async save(
    { workspaceId, customer, createdAt }: Pick<Customer, 'customer' | 'createdAt'> & { readonly workspaceId: number },
    { name, monthlyCredits, totalCredits }: Partial<CustomerProfile>,
    month: Month,
  ): Promise<CustomerView> {
    const changes = { name, monthly_credits: monthlyCredits, total_credits: totalCredits };
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const added = { workspace_id: workspaceId, customer, created_at: createdAt, ...given };
    await this.database.kysely
      .insertInto('customers')
      .values(added)
      // Without changes too: the row is locked.
      .onConflict((conflict) => conflict.columns(['workspace_id', 'customer']).doUpdateSet({ customer, ...given }))
      .execute();
    const saved = selectCustomers(this.database, workspaceId, month).where('customers.customer', '=', customer);
    return toView(await saved.executeTakeFirstOrThrow());
  }

  async list(workspaceId: number, page: PageRequest, month: Month): Promise<Page<CustomerView>> {
    const { before, limit } = pageValues(page);
    const customers = selectCustomers(this.database, workspaceId, month).where('customers.id', '<', before);
    const rows = await customers.orderBy('customers.id', 'desc').limit(limit!).execute();
    return pageOf(rows.map(toView), page.limit, ({ id }) => id);
  }
}

interface Row extends Customer {
  readonly monthUsed: number | null;
  readonly monthReserved: number | null;
  readonly totalUsed: number | null;
  readonly totalReserved: number | null;
}

function toView({ monthUsed, monthReserved, totalUsed, totalReserved, ...customer }: Row): CustomerView {
  const sumOf = (used: number | null, reserved: number | null) => ({ used: used ?? 0, reserved: reserved ?? 0 });
  return { ...customer, month: sumOf(monthUsed, monthReserved), total: sumOf(totalUsed, totalReserved) };
}
