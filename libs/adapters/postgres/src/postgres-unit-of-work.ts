import { AsyncLocalStorage } from 'node:async_hooks';
import { Semaphore, type UnitOfWork } from '#kernel';
import type { Database } from './database.ts';
import { rerunOnConflict } from './rerun-on-conflict.ts';
import { translateDatabaseError } from './translate-database-error.ts';

type AfterCommit = () => void;

/** A transaction that begins with the first unit of work in it. */
interface Late {
  readonly first: () => Promise<void>;
  readonly afterCommit: AfterCommit[];
  readonly turns: Semaphore;
}

/** Units of work as PostgreSQL transactions (READ COMMITTED). */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #current = new AsyncLocalStorage<AfterCommit[]>();
  readonly #late = new AsyncLocalStorage<Late>();

  constructor(private readonly database: Database) {}

  /** Reports whether a unit of work would run in a transaction that has begun. */
  get hasBegun(): boolean {
    return this.database.isInTransaction;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#current.getStore()) return work();
    const late = this.#late.getStore();
    if (late) return late.turns.on(1, () => this.#join(late, work));
    const afterCommit: AfterCommit[] = [];
    const result = await this.database.transaction(() => this.#collecting(afterCommit, work));
    for (const action of afterCommit) action();
    return result;
  }

  /**
   * Runs `work` with one transaction for all of its units of work. It begins with the first of them: no connection is
   * used while `work` computes before. When `work` throws, everything is rolled back.
   *
   * @param first runs at the beginning of the transaction, and again when that is begun again after a conflict
   * @param last runs at its end, with the result of `work`
   */
  async late<T>(first: () => Promise<void>, work: () => Promise<T>, last: (result: T) => Promise<void>): Promise<T> {
    const late: Late = { first, afterCommit: [], turns: new Semaphore(1) };
    const result = await this.database.apart(() =>
      this.#late.run(late, async () => {
        try {
          const worked = await work();
          await this.run(() => last(worked));
          await this.database.commit();
          return worked;
        } catch (error) {
          if (this.database.isInTransaction) await this.database.rollback();
          throw translateDatabaseError(error);
        }
      }),
    );
    for (const action of late.afterCommit) action();
    return result;
  }

  /** Runs `action` after the surrounding unit of work commits; never after a rollback. */
  afterCommit(action: AfterCommit): void {
    const surrounding = this.#current.getStore() ?? this.#late.getStore()?.afterCommit;
    if (surrounding) surrounding.push(action);
    else action();
  }

  /** Runs a unit of work in the transaction of `late`. When it throws, only its own changes are rolled back. */
  async #join<T>(late: Late, work: () => Promise<T>): Promise<T> {
    const { database } = this;
    const afterCommit: AfterCommit[] = [];
    const result = await (database.isInTransaction
      ? database.savepoint(() => this.#collecting(afterCommit, work))
      : rerunOnConflict(async () => {
          await database.begin();
          try {
            await late.first();
            return await this.#collecting(afterCommit, work);
          } catch (error) {
            await database.rollback();
            throw error;
          }
        }));
    late.afterCommit.push(...afterCommit);
    return result;
  }

  /** Runs `work`, and collects what it wants done after the commit; nothing of an earlier run. */
  #collecting<T>(afterCommit: AfterCommit[], work: () => Promise<T>): Promise<T> {
    afterCommit.length = 0;
    return this.#current.run(afterCommit, work);
  }
}
