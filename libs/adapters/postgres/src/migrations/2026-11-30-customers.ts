import { IndexMigration, OnlineMigration } from './online-migration.ts';

const BOTH = ['customer text', 'metadata jsonb'];
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  generations: BOTH,
  batches: BOTH,
  uploads: BOTH,
  files: BOTH,
  personas: BOTH,
  boards: BOTH,
  library_items: ['customer text'],
  api_tokens: ['customer text'],
};

type MigrationClass = new (...args: ConstructorParameters<typeof OnlineMigration>) => OnlineMigration;

const adding = (table: string, columns: readonly string[]): MigrationClass =>
  class extends OnlineMigration {
    protected override readonly statements = [
      `alter table ${table} ${columns.map((column) => `add column ${column}`).join(', ')}`,
    ];

    override down(): void {
      const drops = columns.map((column) => `drop column ${column.split(' ')[0]}`);
      this.addSql(`alter table ${table} ${drops.join(', ')}`);
    }
  };

/**
 * The labels of customers and the metadata that callers give to objects. Requests lock several of these tables, in orders
 * of their own: each migration locks one, so that they never wait for each other in a circle.
 */
export const customData = Object.entries(COLUMNS).map(([table, columns]) => ({
  name: `2026-11-30-custom-data-of-${table.replace('_', '-')}`,
  class: adding(table, columns),
}));

const IS_KEPT = 'customer is not null and deletion_id is null';

export class CustomDataIndexes extends IndexMigration {
  protected override readonly indexes = [
    { name: 'generations_of_customer', on: 'generations (workspace_id, customer, id) where customer is not null' },
    { name: 'batches_of_customer', on: 'batches (workspace_id, customer, id) where customer is not null' },
    { name: 'personas_of_customer', on: `personas (workspace_id, customer, id) where ${IS_KEPT}` },
    { name: 'boards_of_customer', on: `boards (workspace_id, customer, id) where ${IS_KEPT}` },
    {
      name: 'library_items_of_customer',
      on: 'library_items (workspace_id, customer, created_at desc, file_id desc) where customer is not null',
    },
  ];
}

/** Customers, and what is reserved or charged for them. */
export class Customers extends OnlineMigration {
  protected override readonly statements = [
    `create table customers (
      id bigint generated always as identity primary key,
      workspace_id bigint not null references workspaces on delete cascade,
      customer text not null,
      name text,
      monthly_credits integer,
      total_credits integer,
      created_at timestamptz not null,
      constraint customers_label unique (workspace_id, customer)
    )`,
    'create index customers_workspace on customers (workspace_id, id)',
    `create table customer_credits (
      workspace_id bigint not null references workspaces on delete cascade,
      customer text not null,
      month date not null,
      credits bigint,
      used bigint not null,
      reserved bigint not null,
      generations bigint not null,
      primary key (workspace_id, customer, month),
      constraint customer_credits_used_check check (used <= credits)
    ) with (fillfactor = 50)`,
  ];

  override down(): void {
    this.addSql('drop table customer_credits');
    this.addSql('drop table customers');
  }
}

/** The customers of entries, also of those that 0.2 writes. In a transaction of its own, as `customData`. */
export class EntryCustomers extends OnlineMigration {
  protected override readonly statements = [
    'alter table credit_entries add column customer text',
    // 0.2, which may run beside this version, ends reservations and does not know customers. Dropped with 0.4.
    `create function end_customer_of_0_2() returns trigger language plpgsql as $$
    declare
      reservation credit_entries;
    begin
      select * into reservation from credit_entries where key = 'reserve:' || new.generation_id;
      if reservation.customer is null then return null; end if;
      update credit_entries set customer = reservation.customer where id = new.id;
      update customer_credits set used = used + new.amount, reserved = reserved - reservation.amount,
        generations = generations - (new.kind = 'release')::integer
      where workspace_id = new.workspace_id and customer = reservation.customer and month in ('0001-01-01', new.month);
      return null;
    end $$`,
    `create trigger end_customer_of_0_2 after insert on credit_entries
      for each row when (new.kind in ('settle', 'release') and new.customer is null)
      execute function end_customer_of_0_2()`,
  ];

  override down(): void {
    this.addSql('drop trigger end_customer_of_0_2 on credit_entries');
    this.addSql('drop function end_customer_of_0_2');
    this.addSql('alter table credit_entries drop column customer');
  }
}
