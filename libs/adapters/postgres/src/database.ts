import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Prepared } from './prepared.ts';
import type { Tables } from './schema.ts';
import { translateDatabaseError } from './translate-database-error.ts';

/**
 * Typed statements, run in the surrounding transaction where there is one. Every method throws DomainError
 * `validation_failed` for values that PostgreSQL can't store and `unavailable` when it can't be reached.
 */
export class Database {
  /** @param sidePool a few connections that no transaction ever keeps */
  constructor(
    private readonly orm: MikroORM,
    private readonly pool: Pool,
    private readonly sidePool: Pool,
  ) {}

  /** Writes of single rows by entity: `insert`, `nativeUpdate`, `nativeDelete`, in the surrounding transaction. */
  get em(): EntityManager {
    return this.orm.em as EntityManager;
  }

  /** Builds a statement on column names and runs it; off the hot paths, where building it each time does not matter. */
  get kysely(): Kysely<Tables> {
    return this.em.getKysely<Tables>();
  }

  /** Runs a statement made by `prepared`. */
  async run<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row[]> {
    const parameters = statement.bind(values);
    if (!this.em.isInTransaction()) return execute<Row>(this.pool, statement.query.sql, parameters);
    return (await this.kysely.executeQuery<Row>({ ...statement.query, parameters })).rows;
  }

  /** The first row of `run`, or `null`. */
  async one<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row | null> {
    return (await this.run(statement, values))[0] ?? null;
  }

  /** Whether `run` returns any row. */
  async any<In, Row>(statement: Prepared<In, Row>, values: In): Promise<boolean> {
    return (await this.run(statement, values)).length > 0;
  }

  /**
   * Runs a statement that is committed at once, whatever becomes of the surrounding transaction. It must need no lock
   * that the transaction may have: the two would wait for each other.
   */
  async runApart<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row[]> {
    if (!this.em.isInTransaction()) return this.run(statement, values);
    // Were it a connection of the pool that transactions are on, all of them could wait for a last free one.
    return execute<Row>(this.sidePool, statement.query.sql, statement.bind(values));
  }
}

async function execute<Row>(pool: Pool, sql: string, values: readonly unknown[]): Promise<Row[]> {
  try {
    return (await pool.query(sql, values as unknown[])).rows as Row[];
  } catch (error) {
    throw translateDatabaseError(error);
  }
}
