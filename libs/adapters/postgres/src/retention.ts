import { sql } from 'kysely';
import type { Database } from './database.ts';
import { anyIn, build, prepared } from './prepared.ts';

/** How long an expired token and an ended invitation stay visible. */
const KEPT_DAYS = 30;
const BATCH = 1000;

/** Deletes records that have ended and that nothing else deletes. */
export class PostgresRetention {
  constructor(private readonly database: Database) {}

  /**
   * Deletes tokens and invitations that ended thirty days before `now`. Several processes may do so concurrently.
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
        forgotten = (await this.database.run(statement, { before, limit: BATCH })).length;
      }
    }
    return all;
  }
}

interface Values {
  readonly before: Date;
  readonly limit: number;
}

const FORGET_TOKENS = prepared<Values>()((p) =>
  build
    .deleteFrom('api_tokens')
    .where(
      'id',
      '=',
      anyIn(
        build
          .selectFrom('api_tokens')
          .select('id')
          .where('expires_at', '<=', p('before'))
          .orderBy('expires_at')
          .limit(p('limit'))
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returning('id'),
);

const ENDED_AT = sql<Date>`coalesce(ended_at, expires_at)`;

const FORGET_INVITATIONS = prepared<Values>()((p) =>
  build
    .deleteFrom('invitations')
    .where(
      'id',
      '=',
      anyIn(
        build
          .selectFrom('invitations')
          .select('id')
          .where(ENDED_AT, '<=', p('before'))
          .orderBy(ENDED_AT)
          .limit(p('limit'))
          .forUpdate()
          .skipLocked(),
      ),
    )
    .returning('id'),
);
