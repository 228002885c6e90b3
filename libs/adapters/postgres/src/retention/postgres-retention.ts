import type { Database } from '../database.ts';

/** So long it can still be seen that a token has expired, and what became of an invitation. */
const KEPT_DAYS = 30;
const BATCH = 1000;

/** Ends the records that nobody asks for any more and that nothing else ends. */
export class PostgresRetention {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Forgets tokens and invitations that were over thirty days before `now`. Many may do so at once.
   *
   * @param signal when aborted, its reason is thrown before the next batch
   * @returns how many
   */
  async forget(now: Date, signal?: AbortSignal): Promise<number> {
    const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
    let all = 0;
    for (const statement of [FORGET_TOKENS, FORGET_INVITATIONS]) {
      for (let forgotten = BATCH; forgotten === BATCH; all += forgotten) {
        signal?.throwIfAborted();
        forgotten = (await this.#database.query(statement, [before, BATCH])).length;
      }
    }
    return all;
  }
}

const FORGET_TOKENS = `
  delete from api_tokens where id = any(array(
    select id from api_tokens where expires_at <= $1 order by expires_at limit $2 for update skip locked))
  returning id`;

const FORGET_INVITATIONS = `
  delete from invitations where id = any(array(
    select id from invitations where coalesce(ended_at, expires_at) <= $1
    order by coalesce(ended_at, expires_at) limit $2 for update skip locked))
  returning id`;
