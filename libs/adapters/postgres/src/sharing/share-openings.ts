import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database.ts';
import { prepared, build } from '../prepared.ts';

const COUNTERS = 1_024;

/**
 * Counts an opening of a link. A connection runs one transaction at a time and has a counter of its own, so that openings
 * don't wait for each other.
 */
const countOpening = prepared<{ shareId: number; at: Date }>()((param) =>
  build
    .insertInto('share_openings')
    .values({
      share_id: param('shareId'),
      connection: sql<number>`pg_backend_pid() % ${sql.lit(COUNTERS)}`,
      opened_count: sql.lit(1),
      last_opened_at: param('at'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['share_id', 'connection'])
        .doUpdateSet({
          opened_count: sql<number>`share_openings.opened_count + 1`,
          last_opened_at: sql<Date>`greatest(share_openings.last_opened_at, excluded.last_opened_at)`,
        }),
    ),
);

export async function recordOpening(database: Database, shareId: number, at: Date): Promise<void> {
  await database.run(countOpening, { shareId, at });
}

const openings = sql`from share_openings where share_openings.share_id = shares.id`;

/** The number of openings of a link, for a statement that selects from `shares`: its row has those of earlier versions. */
export const openedCount: RawBuilder<number> = sql<number>`shares.opened_count
  + coalesce((select sum(share_openings.opened_count) ${openings}), 0)`;

/** When a link was opened last, for a statement that selects from `shares`. */
export const lastOpenedAt: RawBuilder<Date | null> = sql<Date | null>`greatest(shares.last_opened_at,
  (select max(share_openings.last_opened_at) ${openings}))`;
