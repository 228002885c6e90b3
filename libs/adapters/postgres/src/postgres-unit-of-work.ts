import { AsyncLocalStorage } from 'node:async_hooks';
import type { UnitOfWork } from '#kernel';
import type { Database } from './database.ts';
import { translateDatabaseError } from './translate-database-error.ts';

type AfterCommit = () => void;

/** Units of work as PostgreSQL transactions (READ COMMITTED). */
export class PostgresUnitOfWork implements UnitOfWork {
  readonly #current = new AsyncLocalStorage<AfterCommit[]>();

  constructor(private readonly database: Database) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#current.getStore()) return work();
    const afterCommit: AfterCommit[] = [];
    try {
      const result = await this.#current.run(afterCommit, () => this.database.transaction(work));
      for (const action of afterCommit) action();
      return result;
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /**
   * Runs `work` within the surrounding unit of work. When it throws, only its own changes are rolled back.
   */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const surrounding = this.#current.getStore();
    if (!surrounding) return this.run(work);
    const announced = surrounding.length;
    try {
      return await this.database.savepoint(work);
    } catch (error) {
      surrounding.length = announced;
      throw translateDatabaseError(error);
    }
  }

  /** Runs `action` after the surrounding unit of work commits; never after a rollback. */
  afterCommit(action: AfterCommit): void {
    const surrounding = this.#current.getStore();
    if (surrounding) surrounding.push(action);
    else action();
  }
}
