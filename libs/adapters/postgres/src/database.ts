import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { sql, type ControlledTransaction, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Prepared, RowOf } from './prepared.ts';
import type { Tables } from './schema.ts';
import type { SharedConnections } from './shared-connections.ts';
import { DomainError } from '#kernel';
import { translateDatabaseError } from './translate-database-error.ts';

interface Surrounding {
  readonly transaction: ControlledTransaction<Tables, string[]>;
  em: EntityManager | null;
}

const SAVEPOINT = 'attempt';

/** Statements by name, for the same values. */
type Statements<In> = Readonly<Record<string, Prepared<In, unknown>>>;
type RowsOf<Each extends Statements<never>> = { [Name in keyof Each]: RowOf<Each[Name]>[] };

/**
 * Typed statements, run in the surrounding transaction where there is one. Every method throws DomainError
 * `validation_failed` for values that PostgreSQL can't store and `unavailable` when it can't be reached.
 */
export class Database {
  readonly #surrounding = new AsyncLocalStorage<Surrounding>();

  /**
   * @param sidePool a few connections that no transaction ever keeps
   * @param shared for brief reads
   */
  constructor(
    private readonly orm: MikroORM,
    private readonly pool: Pool,
    private readonly sidePool: Pool,
    private readonly shared: SharedConnections,
  ) {}

  /** Writes of single rows by entity: `insert`, `nativeUpdate`, `nativeDelete`, in the surrounding transaction. */
  get em(): EntityManager {
    const surrounding = this.#surrounding.getStore();
    if (!surrounding) return this.orm.em as EntityManager;
    if (!surrounding.em) {
      surrounding.em = this.orm.em.fork() as EntityManager;
      surrounding.em.setTransactionContext(surrounding.transaction);
    }
    return surrounding.em;
  }

  /** Builds a statement on column names and runs it; off the hot paths, where building it each time does not matter. */
  get kysely(): Kysely<Tables> {
    return this.#surrounding.getStore()?.transaction ?? this.orm.em.getKysely<Tables>();
  }

  get isInTransaction(): boolean {
    return this.#surrounding.getStore() !== undefined;
  }

  /**
   * Runs `work` in the surrounding transaction, or in one of its own, whose `begin` is sent with the first statement. Not
   * the ORM's, which takes as much processor time again.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.isInTransaction) return work();
    const transaction = await this.orm.em.getKysely<Tables>().startTransaction().execute();
    try {
      const result = await this.#surrounding.run({ transaction, em: null }, work);
      await transaction.commit().execute();
      return result;
    } catch (error) {
      await transaction.rollback().execute();
      throw error;
    }
  }

  /** Runs reads on the data as it is at one moment: none sees a change that another does not see. */
  snapshot<In, Reads extends Statements<In>>(reads: Reads, values: In): Promise<RowsOf<Reads>> {
    return this.#inOneWrite('begin isolation level repeatable read read only', reads, values);
  }

  /**
   * Runs statements in a transaction of their own, one after the other: each sees what was committed while the one before
   * waited for a lock. Others wait for these locks for no round trip.
   */
  together<In, Each extends Statements<In>>(statements: Each, values: In): Promise<RowsOf<Each>> {
    return this.#inOneWrite('begin', statements, values);
  }

  /** One round trip instead of one for each statement. @returns the rows of each */
  async #inOneWrite<In, Each extends Statements<In>>(
    begin: string,
    statements: Each,
    values: In,
  ): Promise<RowsOf<Each>> {
    try {
      const client = await this.pool.connect();
      const { stream } = client.connection;
      stream.cork();
      const sent = [
        client.query(begin),
        ...Object.values(statements).map(({ query, bind }) => client.query(query.sql, bind(values))),
        client.query('commit'),
      ];
      stream.uncork();
      // Others get the connection once all have ended, whichever fails.
      await Promise.allSettled(sent);
      client.release();
      const [, ...results] = await Promise.all(sent);
      return Object.fromEntries(Object.keys(statements).map((name, index) => [name, results[index]!.rows])) as never;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** Runs `work` in the surrounding transaction; when it throws, only what it did is rolled back. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const { transaction } = this.#surrounding.getStore()!;
    await transaction.savepoint(SAVEPOINT).execute();
    try {
      return await work();
    } catch (error) {
      await transaction.rollbackToSavepoint(SAVEPOINT).execute();
      throw error;
    } finally {
      // Else one around it, of the same name, would be hidden.
      await transaction.releaseSavepoint(SAVEPOINT).execute();
    }
  }

  /** Runs a statement made by `prepared`. */
  async run<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row[]> {
    const parameters = statement.bind(values);
    if (!this.isInTransaction) return rowsOf<Row>(this.#send(statement, parameters));
    return (await this.kysely.executeQuery<Row>({ ...statement.query, parameters })).rows;
  }

  /** The first row of `run`, or `null`. */
  async one<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row | null> {
    return (await this.run(statement, values))[0] ?? null;
  }

  /**
   * Writes nothing that lasts. @throws DomainError `unavailable` when the database refuses writes: it is a standby or
   * set to read-only, or its disk is full
   */
  async checkWrites(): Promise<void> {
    const { rows } = await CHECK_WRITES.execute(this.kysely).catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
    if (rows[0]?.is_read_only) throw new DomainError('unavailable', 'the database is read-only');
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
    if (!this.isInTransaction) return this.run(statement, values);
    // Were it a connection of the pool that transactions are on, all of them could wait for a last free one.
    return rowsOf<Row>(this.sidePool.query(statement.query.sql, statement.bind(values)));
  }

  #send({ query, isBrief }: Prepared<never, unknown>, values: unknown[]): Promise<Result> {
    return isBrief ? this.shared.query(query.sql, values) : this.pool.query(query.sql, values);
  }
}

/** With so little memory the rows go to a temporary file, which needs half a megabyte on the database's disk. */
const CHECK_WRITES = sql<{ is_read_only: boolean }>`
  select current_setting('transaction_read_only')::boolean as is_read_only
  from (select set_config('work_mem', '64kB', true) as size offset 0) as memory,
    lateral (select count(*) from generate_series(1, 20000 + length(memory.size) * 0)) as written`;

interface Result {
  readonly rows: unknown[];
}

async function rowsOf<Row>(result: Promise<Result>): Promise<Row[]> {
  try {
    return (await result).rows as Row[];
  } catch (error) {
    throw translateDatabaseError(error);
  }
}
