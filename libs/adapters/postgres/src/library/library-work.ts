import { sql } from 'kysely';
import type { LibraryWork, SeenItem, UnseenItem } from '#library';
import type { Database } from '../database.ts';
import { anyIn, build, prepared } from '../prepared.ts';
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
      await addToLibrary(this.database, ids);
      const isDone = ids.length < limit;
      await this.database.run(saveFilling, {
        beforeId: isDone ? Number.MAX_SAFE_INTEGER : ids.at(-1)!,
        passesLeft: filling.passesLeft - (isDone ? 1 : 0),
        startsAt: isDone ? new Date(now.getTime() + PAUSE_MS) : now,
      });
      return ids.length;
    });
  }

  claimUnseen(now: Date, until: Date, limit: number): Promise<readonly UnseenItem[]> {
    return this.database.run(claimUnseen, { now, until, limit });
  }

  async saveSeen(fileId: number, seen: SeenItem | null): Promise<void> {
    await this.database.run(saveSeen, {
      fileId,
      colors: seen && [...seen.look.colors],
      shape: seen?.look.shape ?? null,
      placeholder: seen?.placeholder ?? null,
      width: seen?.width ?? null,
      height: seen?.height ?? null,
    });
  }
}

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

/** Skips items of deleted files, whose bytes may be gone. */
const claimUnseen = prepared<{ now: Date; until: Date; limit: number }>()((param) =>
  build
    .with('claimed', (db) =>
      db
        .updateTable('library_items')
        .set({ look_due_at: param('until') })
        .where('file_id', '=', (eb) =>
          anyIn(
            eb
              .selectFrom('library_items as due')
              .select('due.file_id')
              .where('due.look_due_at', '<=', param('now'))
              .where('due.deletion_id', 'is', null)
              .orderBy('due.look_due_at', 'desc')
              .limit(param('limit'))
              .forNoKeyUpdate()
              .skipLocked(),
          ),
        )
        .returning(['file_id', 'workspace_id', 'persona_id']),
    )
    .selectFrom('claimed')
    .innerJoin('files', 'files.id', 'claimed.file_id')
    .select(['files.id as fileId', 'claimed.workspace_id as workspaceId', 'claimed.persona_id as personaId'])
    .select(['files.key', 'files.size', 'files.content_type as contentType'])
    .select(
      sql<string | null>`coalesce(
        (select thumbnail.key from generation_outputs o
         join generation_thumbnails t on t.generation_id = o.generation_id and t.position = o.position
         join files thumbnail on thumbnail.id = t.file_id
         where o.file_id = files.id order by t.width limit 1),
        (select media.thumbnails -> 0 ->> 'key' from media_files
         join media on media.id = media_files.media_id and media.file_key = files.key
         where media_files.file_id = files.id and media.deletion_id is null limit 1))`.as('thumbnailKey'),
    ),
);

type Seen = Pick<SeenItem, 'width' | 'height'> & {
  readonly fileId: number;
  readonly colors: number[] | null;
  readonly shape: string | null;
  readonly placeholder: string | null;
};

const saveSeen = prepared<Seen>()((param) =>
  build
    .updateTable('library_items')
    .set({
      look_due_at: null,
      colors: param('colors'),
      shape: sql<string>`${param('shape')}::bit(64)`,
      placeholder: sql<string>`coalesce(${param('placeholder')}, placeholder)`,
      width: sql<number>`coalesce(${param('width')}, width)`,
      height: sql<number>`coalesce(${param('height')}, height)`,
    })
    .where('file_id', '=', param('fileId')),
);
