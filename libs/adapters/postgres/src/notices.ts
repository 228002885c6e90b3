import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { build, prepared } from './prepared.ts';

/** The column of a statement's rows that holds a notice for watchers, as JSON text; null for none. */
export const NOTICE = 'notice';

/** Pause between two groups of notices. */
const PAUSE_MS = 20;

/**
 * `pg_notify` holds a lock of all databases until its transaction has committed: here it is a transaction of its own,
 * which does not wait for the disk, as nobody listens after a crash.
 */
const sendNotices = prepared<{ notices: readonly string[] }>()((param) =>
  build
    .selectFrom(sql<{ notice: string }>`unnest(${param('notices')}::text[])`.as<'each'>(sql`each (notice)`))
    .select(sql`pg_notify('changes', each.notice)`.as('sent'))
    .select(sql`set_config('synchronous_commit', 'off', true)`.as('setting')),
);

/**
 * Sends notices of committed changes to the watchers of all processes, in order: the first at once, those of the next
 * moments together. A notice may be lost; watchers compare versions every few seconds.
 */
export class Notices {
  #waiting: string[] = [];
  #sending: Promise<void> | null = null;
  readonly #closing = new AbortController();

  /** @param pool connections that no transaction uses */
  constructor(private readonly pool: Pick<Pool, 'query'>) {}

  send(notices: readonly string[]): void {
    this.#waiting.push(...notices);
    if (this.#waiting.length > 0) this.#sending ??= this.#sendWaiting();
  }

  /** Sends what waits. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#sending;
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const notices = this.#waiting.splice(0);
      await this.pool.query(sendNotices.query.sql, sendNotices.bind({ notices })).catch(() => undefined);
      await pause(PAUSE_MS, null, { ref: false, signal: this.#closing.signal }).catch(() => undefined);
    }
    this.#sending = null;
  }
}

/** The notices of a statement's rows. */
export function noticesOf(rows: readonly unknown[]): string[] {
  const [first] = rows as readonly { readonly [NOTICE]?: string | null }[];
  if (first?.[NOTICE] === undefined) return [];
  return (rows as readonly { readonly [NOTICE]: string | null }[]).flatMap(({ notice }) => notice ?? []);
}
