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
