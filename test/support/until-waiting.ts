import { eventually } from './eventually.ts';
import type { TestDatabase } from './database.ts';

const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Resolves when so many statements wait for locks that others hold; or when they need not any more. */
export async function untilWaiting(
  { pool }: Pick<TestDatabase, 'pool'>,
  { count = 1, isOver = () => false }: { readonly count?: number; readonly isOver?: () => boolean } = {},
): Promise<void> {
  await eventually(async () => isOver() || (await pool.query(WAITING)).rows.length >= count, { everyMs: 5 });
}
