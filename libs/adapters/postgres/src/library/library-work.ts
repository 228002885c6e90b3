import { sql } from 'kysely';
import type { LibraryWork } from '#library';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { addToLibrary } from './library-rows.ts';

/** Between the passes: the version before has stopped by then. */
const PAUSE_MS = 3_600_000;

export class PostgresLibraryWork implements LibraryWork {
  constructor(private readonly database: Database) {}

  /** The position is saved with the items: a worker that dies loses neither. */
  addOlder(now: Date, limit: number): Promise<number> {
    return this.database.transaction(async () => {
      const filling = await this.database.one(lockFilling, { now });
      if (!filling) return 0;
      const ids = (await this.database.run(selectOlder, { ...filling, limit })).map(({ id }) => id);
      await this.database.run(lookLater, { ids: await addToLibrary(this.database, ids) });
      const isDone = ids.length < limit;
      await this.database.run(saveFilling, {
        beforeId: isDone ? Number.MAX_SAFE_INTEGER : ids.at(-1)!,
        passesLeft: filling.passesLeft - (isDone ? 1 : 0),
        startsAt: isDone ? new Date(now.getTime() + PAUSE_MS) : now,
      });
      return ids.length;
    });
  }
}

/** The pictures among new items that nobody has looked at. */
const lookLater = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .updateTable('files')
    .set({ look_due_at: sql<Date>`created_at` })
    .where('id', '=', anyOf(param('ids')))
    .where((eb) => eb.and({ width: null, colors: null, look_due_at: null, look_tries: 0 }))
    .where(sql<boolean>`thumbnails = '[]' and content_type ~ '^(image|video)/'`),
);

const lockFilling = prepared<{ now: Date }>()((param) =>
  build
    .selectFrom('library_filling')
    .select(['passes_left as passesLeft', 'before_id as beforeId'])
    .where('passes_left', '>', 0)
    .where('starts_at', '<=', param('now'))
    .forUpdate()
    .skipLocked(),
);

const selectOlder = prepared<{ beforeId: number; limit: number }>()((param) =>
  build
    .selectFrom('files')
    .select('id')
    .where('id', '<', param('beforeId'))
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

const saveFilling = prepared<{ beforeId: number; passesLeft: number; startsAt: Date }>()((param) =>
  build.updateTable('library_filling').set(param.columns('beforeId', 'passesLeft', 'startsAt')),
);
