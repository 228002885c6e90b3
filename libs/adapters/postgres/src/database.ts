import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { sql, type ControlledTransaction, type DatabaseConnection, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import { noticesOf, type Notices } from './notices.ts';
import type { Prepared, RowOf } from './prepared.ts';
import type { Tables } from './schema.ts';
import type { SharedConnections } from './shared-connections.ts';
import { DomainError } from '#kernel';
import { rerunOnConflict } from './rerun-on-conflict.ts';
import { translateDatabaseError } from './translate-database-error.ts';

/** A transaction that has begun. */
interface Begun {
  readonly transaction: ControlledTransaction<Tables, string[]>;
  /** Its connection: statements on it are sent without waiting for those before. */
  readonly connection: DatabaseConnection;
  em: EntityManager | null;
  /** Notices to send after the commit. */
  notices: string[];
}

/** Where statements run: in a transaction once it has begun. */
interface Surrounding {
  begun: Begun | null;
}

const SAVEPOINT = 'attempt';

/** Statements by name, which take the same values. */
type Statements<In> = Readonly<Record<string, Prepared<In, unknown>>>;
type RowsOf<Each extends Statements<never>> = { [Name in keyof Each]: RowOf<Each[Name]>[] };

/**
 * Typed statements, run in the surrounding transaction where there is one. Every method throws DomainError
 * `validation_failed` for values that PostgreSQL can't store and `unavailable` when it can't be reached.
 */
export class Database {
  readonly #surrounding = new AsyncLocalStorage<Surrounding>();

  /**
   * @param sidePool connections that no transaction uses
   * @param shared for brief reads
   */
  constructor(
    private readonly orm: MikroORM,
    private readonly pool: Pool,
    private readonly sidePool: Pool,
    private readonly shared: SharedConnections,
    private readonly notices: Notices,
  ) {}

  /** Writes of single rows by entity: `insert`, `nativeUpdate`, `nativeDelete`, in the surrounding transaction. */
  get em(): EntityManager {
    const begun = this.#begun;
    if (!begun) return this.orm.em as EntityManager;
    if (!begun.em) {
      begun.em = this.orm.em.fork() as EntityManager;
      begun.em.setTransactionContext(begun.transaction);
    }
    return begun.em;
  }

  /** Statements on column names that are built for each run; only off the hot paths. */
  get kysely(): Kysely<Tables> {
    return this.#begun?.transaction ?? this.orm.em.getKysely<Tables>();
  }

  get isInTransaction(): boolean {
    return this.#begun !== null;
  }

  get #begun(): Begun | null {
    return this.#surrounding.getStore()?.begun ?? null;
  }

  /** Runs `work` in the surrounding transaction, or in a new one, again after a conflict with others. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.isInTransaction) return work();
    return rerunOnConflict(() =>
      this.apart(async () => {
        await this.begin();
        try {
          const result = await work();
          await this.commit();
          return result;
        } catch (error) {
          await this.rollback();
          throw error;
        }
      }),
    );
  }

  /** Runs `work` outside of the surrounding transaction. Within it, `begin` begins one that statements then run in. */
  apart<T>(work: () => Promise<T>): Promise<T> {
    return this.#surrounding.run({ begun: null }, work);
  }

  /**
   * Begins the transaction of `apart`; `begin` is sent with the first statement. The transactions of the ORM would take
   * twice the processor time.
   */
  async begin(): Promise<void> {
    const transaction = await this.orm.em.getKysely<Tables>().startTransaction().execute();
    const connection = await transaction.getExecutor().provideConnection(async (provided) => provided);
    this.#surrounding.getStore()!.begun = { transaction, connection, em: null, notices: [] };
  }

  async commit(): Promise<void> {
    const { transaction, notices } = this.#begun!;
    await transaction.commit().execute();
    this.#surrounding.getStore()!.begun = null;
    this.notices.send(notices);
  }

  async rollback(): Promise<void> {
    const { transaction } = this.#begun!;
    this.#surrounding.getStore()!.begun = null;
    await transaction.rollback().execute();
  }

  /** Runs reads on one snapshot of the data. @returns the rows of each read */
  snapshot<In, Reads extends Statements<In>>(reads: Reads, values: In): Promise<RowsOf<Reads>> {
    return this.#inOneWrite('begin isolation level repeatable read read only', reads, values);
  }

  /**
   * Runs statements one after the other in a new transaction. Each sees what was committed while the statement before it
   * waited for a lock. The transaction holds its locks for less than a round trip.
   */
  together<In, Each extends Statements<In>>(statements: Each, values: In): Promise<RowsOf<Each>> {
    return this.#inOneWrite('begin', statements, values);
  }

  /** Sends a transaction in one write, again after a conflict with others. @returns the rows of each statement */
  async #inOneWrite<In, Each extends Statements<In>>(
    begin: string,
    statements: Each,
    values: In,
  ): Promise<RowsOf<Each>> {
    const bound = Object.values(statements).map(({ query, bind }) => [query.sql, bind(values)] as const);
    return rerunOnConflict(async () => {
      const client = await this.pool.connect();
      const { stream } = client.connection;
      stream.cork();
      const sent = [
        client.query(begin),
        ...bound.map(([text, parameters]) => client.query(text, parameters as unknown[])),
        client.query('commit'),
      ];
      stream.uncork();
      // The connection is released after every statement has ended, even if one fails.
      await Promise.allSettled(sent);
      client.release();
      const [, ...results] = await Promise.all(sent);
      for (const { rows } of results) this.notices.send(noticesOf(rows));
      return Object.fromEntries(Object.keys(statements).map((name, index) => [name, results[index]!.rows])) as never;
    });
  }

  /** Runs `work` in the surrounding transaction. When it throws, only its own changes are rolled back. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const begun = this.#begun!;
    const { transaction, notices } = begun;
    await transaction.savepoint(SAVEPOINT).execute();
    begun.notices = [...notices];
    try {
      return await work();
    } catch (error) {
      begun.notices = notices;
      await transaction.rollbackToSavepoint(SAVEPOINT).execute();
      throw error;
    } finally {
      // A surrounding savepoint has the same name, and would stay hidden.
      await transaction.releaseSavepoint(SAVEPOINT).execute();
    }
  }

  /** Runs a statement made by `prepared`. */
  async run<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row[]> {
    const parameters = statement.bind(values);
    const begun = this.#begun;
    if (!begun) return this.#committed(() => this.#send(statement, parameters));
    const { rows } = await begun.connection.executeQuery<Row>({ ...statement.query, parameters });
    begun.notices.push(...noticesOf(rows));
    return rows;
  }

  /** The first row of `run`, or `null`. */
  async one<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row | null> {
    return (await this.run(statement, values))[0] ?? null;
  }

  /**
   * Checks that the database accepts writes. Changes no data.
   *
   * @throws DomainError `unavailable` when the database is a standby or read-only, or its disk is full
   */
  async checkWrites(): Promise<void> {
    const { rows } = await checkWrites.execute(this.kysely).catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
    if (rows[0]?.is_read_only) throw new DomainError('unavailable', 'the database is read-only');
  }

  /** Reports whether `run` returns any row. */
  async any<In, Row>(statement: Prepared<In, Row>, values: In): Promise<boolean> {
    return (await this.run(statement, values)).length > 0;
  }

  /**
   * Runs a statement outside of the surrounding transaction, and commits it at once. It must not need a lock that the
   * transaction may have: the two would wait for each other.
   */
  async runApart<In, Row>(statement: Prepared<In, Row>, values: In): Promise<Row[]> {
    if (!this.isInTransaction) return this.run(statement, values);
    // On the main pool, transactions that have all connections would wait for another one.
    return this.#committed(() => this.sidePool.query(statement.query.sql, statement.bind(values)));
  }

  /** Runs a statement of its own, and sends its notices. */
  async #committed<Row>(send: () => Promise<{ readonly rows: unknown[] }>): Promise<Row[]> {
    const { rows } = await rerunOnConflict(send);
    this.notices.send(noticesOf(rows));
    return rows as Row[];
  }

  #send({ query, isBrief }: Prepared<never, unknown>, values: unknown[]): Promise<{ readonly rows: unknown[] }> {
    return isBrief ? this.shared.query(query.sql, values) : this.pool.query(query.sql, values);
  }
}

/** The rows exceed `work_mem` and go to a temporary file, which needs half a megabyte on the database's disk. */
const checkWrites = sql<{ is_read_only: boolean }>`
  select current_setting('transaction_read_only')::boolean as is_read_only
  from (select set_config('work_mem', '64kB', true) as size offset 0) as memory,
    lateral (select count(*) from generate_series(1, 20000 + length(memory.size) * 0)) as written`;
