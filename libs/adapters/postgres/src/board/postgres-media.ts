import { sql, type InferResult, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import {
  mediaNameOf,
  PLACE_GAP,
  type CreatedMedia,
  type FailedMedia,
  type Media,
  type MediaFiles,
  type MediaPlace,
  type MediaStore,
  type MediaView,
  type NewMedia,
  type ProcessedMedia,
} from '#board';
import { PICTURE_FACTS, type Deletion, type Thumbnail } from '#files';
import type { Database } from '../database.ts';
import { NAME } from '../files/file-rows.ts';
import { addToLibrary } from '../library/library-rows.ts';
import { anyOf, build, prepared, snakeCase, type SnakeCase } from '../prepared.ts';
import { Media as MediaTable, type Tables } from '../schema.ts';
import { countOf, fieldsOf } from '../shapes.ts';
import { boardNotice } from '../signals.ts';
import { addEntries } from '../trash/entries.ts';
import { findFolder, lockBoard, type OnBoard } from './postgres-boards.ts';

const ROW = ['id', 'folderId', 'extras', 'state', 'error', 'fileKey', 'controlImageKey', 'createdAt'] as const;
const COMBINED = ['place', 'sourceUrl', 'sourceControlImage'] as const;
/** Columns that statements which change media items return, for `withPicture`. */
const CHANGED = [...ROW, ...COMBINED].map(snakeCase) as SnakeCase<(typeof ROW | typeof COMBINED)[number]>[];

/** Conditions of an item that its board shows: the newest version of a place, not deleted. */
export const NEWEST = { 'media.deletion_id': null, 'media.replaced_by': null } as const;

/** The place that people gave to a media item, or else that of its id. */
export const PLACE = sql<number>`coalesce(media.place, media.id * ${sql.lit(-PLACE_GAP)})`;

/** Media items as clients see them, with the picture that they show. Rows of 20 columns would be slow objects. */
export const withPicture = <Media extends SelectQueryBuilder<Tables, 'media', object>>(media: Media) =>
  media
    .leftJoin('files', (join) =>
      join.on('files.key', '=', sql<string>`coalesce(media.file_key, media.control_image_key)`),
    )
    .leftJoin('library_items', 'library_items.file_id', 'files.id')
    .select(fieldsOf('media', ROW))
    .select(PLACE.as('place'))
    .select(sql<string | null>`coalesce(media.source_url, media.source_control_image)`.as('source'))
    .select(fieldsOf('files', ['contentType', ...PICTURE_FACTS]))
    .select(NAME)
    .select(sql<readonly Thumbnail[]>`coalesce(files.thumbnails, '[]')`.as('thumbnails'))
    .select(sql<number>`coalesce(library_items.rating, 0)`.as('rating'))
    .select(sql<readonly string[]>`coalesce(library_items.tags, '{}')`.as('tags'));

/** The columns of a media item's state. */
const STATE = fieldsOf('media', ['id', 'boardId', 'revision', 'state', 'error', 'fileKey', 'controlImageKey']);

type AddedMedia = Omit<NewMedia, 'replaces'> & MediaFiles & { readonly place: number | null; readonly count: number };

const insertMedia = prepared<AddedMedia>()((param) => {
  const added = build
    .with('board', (db) =>
      db
        .updateTable('boards')
        .set((eb) => ({ media_count: eb('media_count', '+', param('count')) }))
        .where('id', '=', param('boardId')),
    )
    .with('media', (db) =>
      db
        .insertInto('media')
        .values({
          source_url: param('url'),
          source_control_image: param('controlImage'),
          ...param.columns('boardId', 'folderId', 'createdBy', 'extras', 'state', 'createdAt', 'fileKey'),
          ...param.columns('controlImageKey', 'place'),
        })
        .returning(CHANGED),
    );
  return withPicture(added.selectFrom('media'));
});

/** Items with all versions that they have replaced. */
const withVersions = (ids: Parameters<typeof anyOf>[0]) =>
  sql<boolean>`(media.id = ${anyOf(ids)} or media.replaced_by = ${anyOf(ids)})`;

/** All versions of the item that `id` is a version of. */
export function isVersionWith(id: RawBuilder<number>): RawBuilder<boolean> {
  const newest = sql`(select coalesce(version.replaced_by, version.id) from media version where version.id = ${id})`;
  return sql`(media.id = ${newest} or media.replaced_by = ${newest})`;
}

const moveMedia = prepared<{ boardId: number; ids: readonly number[]; folderId: number | null }>()((param) => {
  const moved = build.with('moved', (db) =>
    db
      .updateTable('media')
      .set({
        folder_id: param('folderId'),
        place: sql<number | null>`case when folder_id is not distinct from ${param('folderId')}::bigint then place end`,
      })
      .where('board_id', '=', param('boardId'))
      .where(withVersions(param('ids')))
      .where('deletion_id', 'is', null)
      .returning([...CHANGED, 'replaced_by']),
  );
  return withPicture(moved.selectFrom('moved as media').where('media.replaced_by', 'is', null));
});

const findPlace = prepared<{ readonly boardId: number; readonly id: number }>()((param) =>
  build
    .selectFrom('media')
    .leftJoin('media_reviews', 'media_reviews.media_id', 'media.id')
    .select(['media.id', 'media.folder_id as folderId', 'media.replaced_by as replacedBy', PLACE.as('place')])
    .select(sql<number>`coalesce(cardinality(media_reviews.earlier), 0) + 1`.as('version'))
    .where((eb) => eb.and({ 'media.id': param('id'), 'media.board_id': param('boardId'), 'media.deletion_id': null })),
);

/** The new version has what belongs to the place: its links and the earlier versions. It answers a request for changes. */
const replaceMedia = prepared<{ readonly id: number; readonly replaces: number }>()((param) =>
  build
    .with('links', (db) =>
      db
        .updateTable('share_media')
        .set({ media_id: param('id') })
        .where('media_id', '=', param('replaces')),
    )
    .with('answered', (db) =>
      db.updateTable('media_reviews').set({ is_closed: true }).where('media_id', '=', param('replaces')),
    )
    .with('earlier', (db) =>
      db
        .updateTable('media')
        .set({ replaced_by: param('id') })
        .where((eb) => eb.or([eb('id', '=', param('replaces')), eb('replaced_by', '=', param('replaces'))]))
        .returning('id'),
    )
    .insertInto('media_reviews')
    .columns(['media_id', 'earlier'])
    .expression((eb) =>
      eb
        .selectFrom('earlier')
        .select([
          sql<number>`${param('id')}::bigint`.as('media_id'),
          sql<number[]>`array_agg(earlier.id order by earlier.id)`.as('earlier'),
        ]),
    ),
);

const findDeletable = prepared<{ readonly boardId: number; readonly ids: readonly number[] }>()((param) =>
  withPicture(build.selectFrom('media'))
    .where('media.board_id', '=', param('boardId'))
    .where('media.id', '=', anyOf(param('ids')))
    .where((eb) => eb.and(NEWEST)),
);

type DeletedMedia = { readonly boardId: number; readonly ids: readonly number[]; readonly entryIds: readonly number[] };

const deleteMedia = prepared<DeletedMedia>()((param) =>
  build
    .with('gone', (db) =>
      db
        .updateTable('media')
        .from('trash')
        .set((eb) => ({ deletion_id: eb.ref('trash.id') }))
        .where('trash.id', '=', anyOf(param('entryIds')))
        .where(sql<boolean>`trash.item_id = coalesce(media.replaced_by, media.id)`)
        .where(withVersions(param('ids')))
        .returning('media.replaced_by'),
    )
    .updateTable('boards')
    .set((eb) => ({
      media_count: eb('media_count', '-', countOf(eb.selectFrom('gone').where('replaced_by', 'is', null))),
    }))
    .where('id', '=', param('boardId')),
);

const mediaOnBoard = () =>
  build
    .selectFrom('media')
    .innerJoin('boards', 'boards.id', 'media.board_id')
    .where((eb) => eb.and({ 'boards.deletion_id': null, 'media.deletion_id': null }))
    .select(STATE)
    .select(['boards.workspace_id as workspaceId', 'source_url as url', 'source_control_image as controlImage']);

const findMedia = prepared<OnBoard & { readonly id: number }>()((param) =>
  mediaOnBoard().where((eb) =>
    eb.and({ 'media.id': param('id'), 'boards.id': param('boardId'), 'boards.workspace_id': param('workspaceId') }),
  ),
);

const findWaiting = prepared<{ readonly id: number; readonly revision: number }>()((param) =>
  mediaOnBoard().where((eb) =>
    eb.and({ 'media.id': param('id'), 'media.revision': param('revision'), 'media.state': 'created' }),
  ),
);

const lockBoardOfMedia = prepared<{ readonly id: number }>()((param) =>
  build
    .selectFrom('boards')
    .innerJoin('media', 'media.board_id', 'boards.id')
    .select('boards.id')
    .where((eb) => eb.and({ 'media.id': param('id'), 'boards.deletion_id': null }))
    .forUpdate('boards'),
);

const restartMedia = prepared<Pick<CreatedMedia, 'boardId' | 'id' | 'revision'>>()((param) => {
  const restarted = build.with('media', (db) =>
    db
      .updateTable('media')
      .set({ state: 'created', error: null, revision: param('revision') })
      .where((eb) => eb.and({ board_id: param('boardId'), id: param('id'), state: 'failed', deletion_id: null }))
      .where('revision', '=', sql<number>`${param('revision')}::integer - 1`)
      .returning(CHANGED),
  );
  return withPicture(restarted.selectFrom('media'));
});

/** Changes boards that are not deleted; locks them in one order, so that calls for the same boards do not deadlock. */
export const changeBoards = prepared<{ readonly boardIds: readonly number[] }>()((param) =>
  build
    .with('locked', (db) =>
      db
        .selectFrom('boards')
        .select('id')
        .where('id', '=', anyOf(param('boardIds')))
        .where('deletion_id', 'is', null)
        .orderBy('id')
        .forUpdate(),
    )
    .updateTable('boards')
    .from('locked')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .whereRef('boards.id', '=', 'locked.id')
    .returning(['boards.id', 'boards.workspace_id as workspaceId', boardNotice]),
);

const boardsWith = prepared<{ readonly fileIds: readonly number[] }>()((param) =>
  build
    .selectFrom('media_files')
    .innerJoin('media', 'media.id', 'media_files.media_id')
    .select('media.board_id as id')
    .distinct()
    .where('media_files.file_id', '=', anyOf(param('fileIds')))
    .where('media.deletion_id', 'is', null),
);

/** Changes the boards with these files, in the transaction that changes what media items show of a file. */
export async function changeBoardsWith(database: Database, fileIds: readonly number[]): Promise<void> {
  const boards = await database.run(boardsWith, { fileIds });
  await database.run(changeBoards, { boardIds: boards.map(({ id }) => id) });
}

export class PostgresMedia implements MediaStore {
  constructor(private readonly database: Database) {}

  add(media: NewMedia): ReturnType<MediaStore['add']> {
    return this.database.transaction(async () => {
      const missing = await this.#lock(media, media.folderId);
      if (missing) return { missing };
      const { url: fileKey, controlImage: controlImageKey } =
        media.state === 'processed' ? media : { url: null, controlImage: null };
      const { replaces, ...item } = media;
      const added = { ...item, fileKey, controlImageKey, place: replaces?.place ?? null, count: replaces ? 0 : 1 };
      const view = (await this.database.one(insertMedia, added))!;
      if (replaces) await this.database.run(replaceMedia, { id: view.id, replaces: replaces.id });
      await this.#linkFiles(view.id, media.fileIds);
      return view;
    });
  }

  async lockPlace(workspaceId: number, boardId: number, id: number): Promise<MediaPlace | null> {
    if (!(await this.database.any(lockBoard, { workspaceId, boardId }))) return null;
    return this.database.one(findPlace, { boardId, id });
  }

  async move(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): ReturnType<MediaStore['move']> {
    const missing = await this.#lock({ workspaceId, boardId }, folderId);
    if (missing) return { missing };
    return this.database.run(moveMedia, { boardId, ids, folderId });
  }

  async delete(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    deletion: Deletion,
  ): ReturnType<MediaStore['delete']> {
    if (!(await this.database.any(lockBoard, { workspaceId, boardId }))) return null;
    const items = await this.database.run(findDeletable, { boardId, ids });
    const entries = items.map((item) => {
      return { kind: 'media', workspaceId, itemId: item.id, boardId, name: mediaNameOf(item) } as const;
    });
    const entryIds = await addEntries(this.database, entries, deletion);
    const deleted = items.map(({ id }) => id);
    await this.database.run(deleteMedia, { boardId, ids: deleted, entryIds });
    return { ids: deleted, entryIds };
  }

  async find(workspaceId: number, boardId: number, id: number): Promise<Media | null> {
    const row = await this.database.one(findMedia, { workspaceId, boardId, id });
    return row && toMedia(row);
  }

  async waiting(id: number, revision: number): Promise<CreatedMedia | null> {
    const row = await this.database.one(findWaiting, { id, revision });
    const media = row && toMedia(row);
    return media?.state === 'created' ? media : null;
  }

  end(media: ProcessedMedia | FailedMedia, fileIds: readonly number[]): Promise<boolean> {
    return this.database.transaction(async () => {
      const { id, revision, state } = media;
      const board = await this.database.one(lockBoardOfMedia, { id });
      if (!board) return false;
      const { fileKey, controlImageKey } = state === 'processed' ? media : { fileKey: null, controlImageKey: null };
      const waiting = { id, revision, state: 'created', deletionId: null } as const;
      const ended = { state, error: state === 'failed' ? media.error : null, fileKey, controlImageKey };
      if ((await this.database.em.nativeUpdate(MediaTable, waiting, ended)) === 0) return false;
      await this.database.run(changeBoards, { boardIds: [board.id] });
      await this.#linkFiles(id, fileIds);
      return true;
    });
  }

  restart({ workspaceId, boardId, id, revision }: CreatedMedia): Promise<MediaView | null> {
    return this.database.transaction(async () => {
      if (!(await this.database.any(lockBoard, { workspaceId, boardId }))) return null;
      return this.database.one(restartMedia, { boardId, id, revision });
    });
  }

  async retryFailed(options: Parameters<MediaStore['retryFailed']>[0]): ReturnType<MediaStore['retryFailed']> {
    const { error, after, limit } = options;
    const { kysely } = this.database;
    const failed = await kysely
      .selectFrom('media')
      .innerJoin('boards', 'boards.id', 'media.board_id')
      .select(['media.id', 'media.board_id as boardId'])
      .where((eb) => eb.and({ 'boards.deletion_id': null, 'media.deletion_id': null, 'media.state': 'failed' }))
      .where('media.id', '>', after)
      .$if(error !== null, (query) => query.where('media.error', '=', error))
      .orderBy('media.id')
      .limit(limit)
      .execute();
    const boards = await this.database.run(changeBoards, { boardIds: failed.map(({ boardId }) => boardId) });
    const workspaceOf = new Map(boards.map(({ id, workspaceId }) => [id, workspaceId]));
    const retried = await kysely
      .updateTable('media')
      .set((eb) => ({ state: 'created', error: null, revision: eb('revision', '+', 1) }))
      .where('id', '=', anyOf(sql.val(failed.map(({ id }) => id))))
      .where('board_id', '=', anyOf(sql.val([...workspaceOf.keys()])))
      .where((eb) => eb.and({ deletion_id: null, state: 'failed' }))
      .returning(['id', 'revision', 'board_id as boardId'])
      .execute();
    return {
      retried: retried.map(({ boardId, ...item }) => ({ ...item, workspaceId: workspaceOf.get(boardId)! })),
      next: failed.length < limit ? null : failed.at(-1)!.id,
    };
  }

  /** Locks the board, and finds the folder on it, whose deletion waits for this lock. @returns what is missing */
  async #lock(board: OnBoard, folderId: number | null): Promise<'board' | 'folder' | null> {
    const { boardId } = board;
    // The second statement sees what was committed while the first waited, although both are sent at once.
    const [hasBoard, hasFolder] = await Promise.all([
      this.database.any(lockBoard, board),
      folderId === null || this.database.any(findFolder, { boardId, folderId }),
    ]);
    if (!hasBoard) return 'board';
    return hasFolder ? null : 'folder';
  }

  async #linkFiles(mediaId: number, fileIds: readonly number[]): Promise<void> {
    if (fileIds.length === 0) return;
    const links = fileIds.map((fileId) => ({ media_id: mediaId, file_id: fileId }));
    const insert = this.database.kysely.insertInto('media_files').values(links);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    await addToLibrary(this.database, fileIds);
  }
}

type StateRow = InferResult<ReturnType<typeof mediaOnBoard>>[number];

function toMedia({ id, boardId, workspaceId, revision, url, controlImage, state, error, ...files }: StateRow): Media {
  const identity = { id, boardId, workspaceId, revision, sources: { url, controlImage } };
  switch (state) {
    case 'created':
      return { ...identity, state };
    case 'processed':
      return { ...identity, state, ...files };
    case 'failed':
      return { ...identity, state, error: error ?? 'internal_error' };
  }
}
