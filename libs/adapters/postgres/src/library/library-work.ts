import { sql } from 'kysely';
import type { LibraryWork, SeenItem, UnseenItem } from '#library';
import type { Database } from '../database.ts';
import { thumbnailsOf } from '../files/file-rows.ts';
import { anyIn, anyOf, build, prepared } from '../prepared.ts';
import { FileThumbnail } from '../schema.ts';
import { addToLibrary } from './library-rows.ts';

/** Between the passes: the version before has stopped by then. */
const PAUSE_MS = 3_600_000;
/** How often a look is tried: over a day, so that a storage that is away for hours costs none. */
const MAX_TRIES = 9;

export class PostgresLibraryWork implements LibraryWork {
  constructor(private readonly database: Database) {}

  /** The position is saved with the items: a worker that dies loses neither. */
  addOlder(now: Date, limit: number): Promise<number> {
    return this.database.transaction(async () => {
      const filling = await this.database.one(lockFilling, { now });
      if (!filling) return 0;
      const ids = (await this.database.run(selectOlder, { ...filling, limit })).map(({ id }) => id);
      await addToLibrary(this.database, ids);
      await takeThumbnailsOfMedia(this.database, ids);
      await this.database.run(wantThumbnails, { ids });
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

  saveSeen(fileId: number, seen: SeenItem | null): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.database.any(lockPicture, { fileId }))) return false;
      await this.database.run(saveSeen, {
        fileId,
        colors: seen && [...seen.look.colors],
        shape: seen?.look.shape ?? null,
        placeholder: seen?.placeholder ?? null,
        width: seen?.width ?? null,
        height: seen?.height ?? null,
      });
      const thumbnails = seen?.thumbnails ?? [];
      if (thumbnails.length === 0) return true;
      if (await this.database.any(findThumbnails, { fileId })) return false;
      const rows = thumbnails.map((thumbnail) => ({ ...thumbnail, pictureId: fileId }));
      await this.database.em.insertMany(FileThumbnail, rows);
      return true;
    });
  }
}

/**
 * The thumbnails of a media item are those of its file, if that has none: the file may outlive the item, as the picture of a
 * slot.
 */
export async function takeThumbnailsOfMedia(database: Database, fileIds: readonly number[]): Promise<void> {
  await database.run(takeThumbnails, { ids: fileIds });
}

const hasThumbnails = (file: string) => sql<boolean>`(
  exists (select from file_thumbnails own where own.picture_id = ${sql.ref(file)})
  or exists (
    select from generation_outputs o
    join generation_thumbnails own on own.generation_id = o.generation_id and own.position = o.position
    where o.file_id = ${sql.ref(file)}))`;

const takeThumbnails = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .insertInto('file_thumbnails')
    .columns(['file_id', 'picture_id', 'width', 'height'])
    .expression(
      () => sql`
        select small.id, picture.id, thumbnail.width, thumbnail.height
        from files picture
        cross join lateral (
          select media.thumbnails from media_files
          join media on media.id = media_files.media_id and media.file_key = picture.key
          where media_files.file_id = picture.id and media.deletion_id is null
          order by media.id limit 1) item
        cross join lateral jsonb_to_recordset(item.thumbnails) thumbnail (key text, width integer, height integer)
        join files small on small.key = thumbnail.key and small.workspace_id = picture.workspace_id
        where picture.id = any(${param('ids')}) and not ${hasThumbnails('picture.id')}`,
    )
    .onConflict((conflict) => conflict.doNothing()),
);

/** Items that were seen before their thumbnails were made; those that could not be read stay as they are. */
const wantThumbnails = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .updateTable('library_items')
    .set({ look_due_at: sql<Date>`created_at`, look_tries: 0 })
    .where('file_id', '=', anyOf(param('ids')))
    .where('look_due_at', 'is', null)
    .where('colors', 'is not', null)
    .where((eb) => eb.not(hasThumbnails('library_items.file_id'))),
);

/** A file that is deleted meanwhile gets no thumbnails. Whoever refers to the file, such as a media item with its own, waits. */
const lockPicture = prepared<{ fileId: number }>()((param) =>
  build
    .selectFrom('files')
    .select('files.id')
    .where('files.id', '=', param('fileId'))
    .where('files.deletion_id', 'is', null)
    .forUpdate('files'),
);

const findThumbnails = prepared<{ fileId: number }>()((param) =>
  build.selectFrom('file_thumbnails').select('file_id').where('picture_id', '=', param('fileId')),
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

/** Skips items of deleted files, whose bytes may be gone. */
const claimUnseen = prepared<{ now: Date; until: Date; limit: number }>()((param) =>
  build
    .with('claimed', (db) =>
      db
        .updateTable('library_items')
        .set((eb) => ({
          // Twice as long after each try; never again after the last one.
          look_due_at: sql<Date | null>`case when library_items.look_tries < ${sql.lit(MAX_TRIES - 1)} then
            ${param('now')}::timestamptz + (${param('until')}::timestamptz - ${param('now')}::timestamptz)
              * power(2, library_items.look_tries) end`,
          look_tries: eb('look_tries', '+', 1),
        }))
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
    .select(sql<string | null>`${thumbnailsOf(sql.ref('files.id'))} -> 0 ->> 'key'`.as('thumbnailKey')),
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
