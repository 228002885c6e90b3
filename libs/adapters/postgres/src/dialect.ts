import { type DatabaseConnection, PostgresDialect, PostgresDriver, type TransactionSettings } from 'kysely';
import type { Pool } from 'pg';
import { translateDatabaseError } from './translate-database-error.ts';

/**
 * Kysely releases the connection of a transaction only after `rollback` succeeds: the pool would lose a broken
 * connection. This driver releases it, and throws domain errors.
 */
class Driver extends PostgresDriver {
  readonly #translating = new WeakSet<DatabaseConnection>();
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super({ pool });
    this.#pool = pool;
  }

  /** Kysely would forget the pool: a connection that is being opened would fail, never be released, and the end hang. */
  override async destroy(): Promise<void> {
    await this.#pool.end();
  }

  override async acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    const connection = await super.acquireConnection().catch(throwTranslated);
    if (!this.#translating.has(connection)) {
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query, options) => execute<never>(query, options).catch(throwTranslated);
      this.#translating.add(connection);
    }
    return connection;
  }

  /** Does not wait, so that `begin` is sent with the first statement. It fails only when the connection fails. */
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    super.beginTransaction(connection, settings).catch(() => undefined);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // If this fails, the connection is broken: the server rolls back, and the pool drops the connection.
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

function throwTranslated(error: unknown): never {
  throw translateDatabaseError(error);
}

/** Kysely's dialect of PostgreSQL, with `Driver`. */
export class Dialect extends PostgresDialect {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new Driver(this.#pool);
  }
}
