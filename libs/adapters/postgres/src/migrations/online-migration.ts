import { Migration } from '@mikro-orm/migrations';

/**
 * A change of tables that are in use. It waits for a lock for 2 s at most, as every request that needs the table waits
 * behind it; a change that has waited in vain is tried again.
 */
export abstract class OnlineMigration extends Migration {
  /**
   * The version that no longer uses what this migration drops. Processes of the version before may still run, so only
   * a later version drops it.
   */
  readonly unusedSince: string | null = null;
  /** Why changing rows of existing tables takes no longer than a moment. */
  readonly changesFewRows: string | null = null;

  /** The statements, in one transaction. */
  protected abstract readonly statements: readonly string[];

  override up(): void {
    this.addSql("set local lock_timeout = '2s'");
    for (const statement of this.statements) this.addSql(statement);
  }
}

export interface Index {
  readonly name: string;
  /** The table, the columns and the condition. */
  readonly on: string;
  readonly unique?: boolean;
}

/** Indexes of tables that are in use: they are built while rows are written. */
export abstract class IndexMigration extends Migration {
  protected abstract readonly indexes: readonly Index[];

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const { name, on, unique = false } of this.indexes) {
      // An attempt that failed leaves an invalid index.
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
    }
  }

  override down(): void {
    for (const { name } of this.indexes) this.addSql(`drop index concurrently if exists ${name}`);
  }
}

/**
 * A change of many rows of tables that are in use, a thousand at a time, in the order of their ids. Each group is committed:
 * the migration can be stopped at any moment, and is started again from the beginning, so that it changes only what is
 * not changed yet. Its rows are locked until the commit, and no table.
 */
export abstract class GroupedMigration extends Migration {
  /** The table with the ids. */
  protected abstract readonly table: string;
  /** Statements in PL/pgSQL about the rows `id > last and id <= next`, which are locked. */
  protected abstract readonly statements: readonly string[];

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`do $$
      declare
        last bigint := 0;
        next bigint;
      begin
        loop
          select max(id) into next from (select id from ${this.table} where id > last order by id limit 1000) batch;
          exit when next is null;
          perform from ${this.table} where id > last and id <= next order by id for no key update;
          ${this.statements.join(';\n')};
          commit;
          last := next;
        end loop;
      end $$`);
  }
}
