import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';
import { translateDatabaseError } from './translate-database-error.ts';

/** SQL with bound parameters, on the surrounding transaction where there is one. */
export class Database {
  readonly #orm: MikroORM;
  readonly #pool: Pool;
  readonly #sidePool: Pool;

  /** @param sidePool a few connections that no transaction ever keeps */
  constructor(orm: MikroORM, pool: Pool, sidePool: Pool) {
    this.#orm = orm;
    this.#pool = pool;
    this.#sidePool = sidePool;
  }

  /** The entity manager; what it does joins the surrounding transaction too. */
  get em(): EntityManager {
    return this.#orm.em as EntityManager;
  }

  /**
   * Runs one statement. Outside a transaction it is prepared once per connection, under the statement's own
   * text, so `sql` must be a constant: values go into `values`.
   *
   * @throws DomainError `validation_failed` for values that the database can't store, `unavailable` when it can't be reached
   */
  async query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const transaction = this.em.getTransactionContext();
      if (transaction) {
        const result = await transaction.executeQuery(CompiledQuery.raw(sql, [...values]));
        return result.rows as Row[];
      }
      return await runPrepared<Row>(this.#pool, sql, values);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /**
   * Runs one statement that is committed at once, whatever becomes of the surrounding transaction. It must need no
   * lock that the transaction may hold: the two would wait for each other.
   */
  async queryApart<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    if (!this.em.getTransactionContext()) return this.query(sql, values);
    try {
      // On a connection of the pool that transactions are on, all of them could wait for a last one to be free.
      return await runPrepared<Row>(this.#sidePool, sql, values);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** The first row of `query`, or `null`. */
  async one<Row>(sql: string, values: readonly unknown[] = []): Promise<Row | null> {
    return (await this.query<Row>(sql, values))[0] ?? null;
  }
}

async function runPrepared<Row>(pool: Pool, sql: string, values: readonly unknown[]): Promise<Row[]> {
  const result = await pool.query({ name: statementName(sql), text: sql, values: [...values] });
  return result.rows as Row[];
}

const names = new Map<string, string>();

/** Names are per connection and at most 63 bytes long: a number per text. */
function statementName(sql: string): string {
  let name = names.get(sql);
  if (name === undefined) names.set(sql, (name = `s${names.size}`));
  return name;
}
