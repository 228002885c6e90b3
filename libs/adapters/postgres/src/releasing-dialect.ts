import { type DatabaseConnection, PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely';
import type { Pool } from 'pg';

/**
 * Kysely gives the connection of a transaction back only once `rollback` succeeds, and never after a `begin` that
 * failed. A connection that breaks does neither: each would be gone from the pool for good.
 */
class ReleasingDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    try {
      await super.beginTransaction(connection, settings);
    } catch (error) {
      await this.releaseConnection(connection as Parameters<PostgresDriver['releaseConnection']>[0]);
      throw error;
    }
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch {
      // The server has rolled back by itself, and the pool drops a connection that is broken.
    }
  }
}

/** PostgreSQL for Kysely, on a pool that loses no connection. */
export class ReleasingDialect extends PostgresDialect {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new ReleasingDriver({ pool: this.#pool });
  }
}
