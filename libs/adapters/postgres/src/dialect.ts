import { type DatabaseConnection, PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely';
import type { Pool } from 'pg';
import { translateDatabaseError } from './translate-database-error.ts';

/**
 * Kysely gives the connection of a transaction back only once `rollback` succeeds: a connection that breaks would be lost
 * to the pool. This driver gives it back, and throws the domain's errors.
 */
class Driver extends PostgresDriver {
  readonly #translating = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    const connection = await super.acquireConnection().catch(throwTranslated);
    if (!this.#translating.has(connection)) {
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query, options) => execute<never>(query, options).catch(throwTranslated);
      this.#translating.add(connection);
    }
    return connection;
  }

  /** Does not wait: the first statement is sent with it. `begin` fails only with its connection, and so do both. */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    super.beginTransaction(connection, settings).catch(() => undefined);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // When it fails, the server has rolled back by itself, and the pool drops the broken connection.
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

function throwTranslated(error: unknown): never {
  throw translateDatabaseError(error);
}

/** PostgreSQL for Kysely, on a pool that loses no connection. */
export class Dialect extends PostgresDialect {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new Driver({ pool: this.#pool });
  }
}
