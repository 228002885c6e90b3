import { sql, type Expression, type RawBuilder, type Selectable } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type {
  CreatedMedia,
  FailedMedia,
  Media,
  MediaContent,
  MediaStore,
  MediaView,
  NewMedia,
  ProcessedMedia,
} from '#board';
import type { Database } from '../database.ts';
import { build, prepared } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { isForeignKeyViolation } from '../translate-database-error.ts';
import { boardOf, changeBoard, filesOf, type OnBoard } from './postgres-boards.ts';

const CONTENT = [
  'file_key',
  'control_image_key',
  'content_type',
  'width',
  'height',
  'duration',
  'placeholder',
  'thumbnails',
] as const;
/** The columns of a media that clients see. */
export const MEDIA = ['media.id', 'folder_id', 'extras', 'state', 'error', ...CONTENT, 'media.created_at'] as const;

type MediaColumns = Selectable<Tables['media']>;
type ContentRow = Pick<MediaColumns, (typeof CONTENT)[number]>;
/** A media as PostgreSQL writes it in JSON. */
export type MediaRow = ContentRow &
  Pick<MediaColumns, 'id' | 'folder_id' | 'extras' | 'state' | 'error'> & { created_at: string };

/** Within a statement on boards: whether the folder, if any, is on the board. */
const hasFolder = (folderId: RawBuilder<number | null>) =>
  sql<boolean>`(${folderId}::bigint is null or exists (${build
    .selectFrom('folders')
    .select('folders.id')
    .where('folders.board_id', '=', sql<number>`boards.id`)
    .where('folders.id', '=', folderId)}))`;

/** Refers from each of these media to the files. */
const linkFiles = (media: Expression<{ id: number }>, fileIds: RawBuilder<readonly number[]>) =>
  build
    .insertInto('media_files')
    .columns(['media_id', 'file_id'])
    .expression(
      build
        .selectFrom(sql<{ id: number }>`(${media})`.as('linked'))
        .select(['linked.id', sql<number>`unnest(${fileIds}::bigint[])`.as('file_id')]),
    )
    .onConflict((conflict) => conflict.doNothing());

const addMedia = prepared<NewMedia>()((param) =>
  build
    .with('board', () =>
      changeBoard(param)
        .set((eb) => ({ media_count: eb('media_count', '+', 1) }))
        .where(hasFolder(param('folderId')))
        .returning('id'),
    )
    .with('added', (db) =>
      db
        .insertInto('media')
        .columns([
          'board_id',
          'folder_id',
          'created_by',
          'source_url',
          'source_control_image',
          'extras',
          'state',
          'created_at',
        ])
        .expression((eb) =>
          eb
            .selectFrom('board')
            .select([
              'id',
              sql<number | null>`${param('folderId')}::bigint`.as('folder_id'),
              sql<number>`${param('createdBy')}::bigint`.as('created_by'),
              sql<string | null>`${param('url')}::text`.as('source_url'),
              sql<string | null>`${param('controlImage')}::text`.as('source_control_image'),
              sql<string | null>`${param('extras')}::text`.as('extras'),
              sql<NewMedia['state']>`${param('state')}::text`.as('state'),
              sql<Date>`${param('createdAt')}::timestamptz`.as('created_at'),
            ]),
        )
        .returning(MEDIA),
    )
    .with('files', (db) => linkFiles(db.selectFrom('added').select('id'), param('fileIds')))
    .selectNoFrom((eb) => [
      eb.exists(boardOf(param).select('id')).as('board_exists'),
      jsonObjectFrom(eb.selectFrom('added').selectAll()).as('media'),
    ]),
);

interface Move extends OnBoard {
  readonly ids: readonly number[];
  readonly folderId: number | null;
}

const moveMedia = prepared<Move>()((param) =>
  build
    .with('board', () =>
      changeBoard(param)
        .where(hasFolder(param('folderId')))
        .returning('id'),
    )
    .with('moved', (db) =>
      db
        .updateTable('media')
        .from('board')
        .set({ folder_id: param('folderId') })
        .whereRef('media.board_id', '=', 'board.id')
        .where(sql<boolean>`media.id = any(${param('ids')})`)
        .returning(MEDIA),
    )
    .selectNoFrom((eb) => [
      eb.exists(boardOf(param).select('id')).as('board_exists'),
      eb.exists(eb.selectFrom('board').select('id')).as('is_allowed'),
      jsonArrayFrom(eb.selectFrom('moved').selectAll()).as('media'),
    ]),
);

const removeMedia = prepared<OnBoard & { readonly ids: readonly number[] }>()((param) =>
  build
    .with('board', () => boardOf(param).select('id').forUpdate())
    .with('gone', (db) =>
      db
        .deleteFrom('media')
        .using('board')
        .whereRef('media.board_id', '=', 'board.id')
        .where(sql<boolean>`media.id = any(${param('ids')})`)
        .returning('media.id'),
    )
    .with('counted', (db) =>
      db
        .updateTable('boards')
        .set((eb) => ({
          media_count: sql<number>`media_count - ${eb.selectFrom('gone').select(eb.fn.countAll().as('count'))}`,
          version: eb('version', '+', 1),
        }))
        .where('id', 'in', (eb) => eb.selectFrom('board').select('id')),
    )
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('board').select('id')).as('board_exists'),
      eb
        .selectFrom('gone')
        .select(sql<number[] | null>`array_agg(id)`.as('ids'))
        .as('ids'),
      filesOf(eb.selectFrom('gone').select('id')).as('file_ids'),
    ]),
);

const mediaOnBoard = () =>
  build
    .selectFrom('media')
    .innerJoin('boards', 'boards.id', 'media.board_id')
    .where('boards.deleted_at', 'is', null)
    .selectAll('media')
    .select('boards.workspace_id');

const findMedia = prepared<OnBoard & { readonly id: number }>()((param) =>
  mediaOnBoard()
    .where('media.id', '=', param('id'))
    .where('boards.id', '=', param('boardId'))
    .where('boards.workspace_id', '=', param('workspaceId')),
);

const findWaiting = prepared<{ readonly id: number; readonly revision: number }>()((param) =>
  mediaOnBoard()
    .where('media.id', '=', param('id'))
    .where('media.revision', '=', param('revision'))
    .where('media.state', '=', 'created'),
);

interface Ending extends Omit<MediaContent, 'thumbnails'> {
  readonly id: number;
  readonly revision: number;
  readonly state: 'processed' | 'failed';
  readonly error: string | null;
  readonly thumbnails: string;
  readonly fileIds: readonly number[];
}

const endMedia = prepared<Ending>()((param) =>
  build
    .with('board', (db) =>
      db
        .selectFrom('boards')
        .innerJoin('media', 'media.board_id', 'boards.id')
        .select('boards.id')
        .where('media.id', '=', param('id'))
        .where('boards.deleted_at', 'is', null)
        .forUpdate('boards'),
    )
    .with('ended', (db) =>
      db
        .updateTable('media')
        .from('board')
        .set({
          state: param('state'),
          error: param('error'),
          file_key: param('fileKey'),
          control_image_key: param('controlImageKey'),
          content_type: param('contentType'),
          width: param('width'),
          height: param('height'),
          duration: param('duration'),
          placeholder: param('placeholder'),
          thumbnails: sql`${param('thumbnails')}::jsonb`,
        })
        .whereRef('media.board_id', '=', 'board.id')
        .where('media.id', '=', param('id'))
        .where('media.revision', '=', param('revision'))
        .where('media.state', '=', 'created')
        .returning(['media.id', 'media.board_id']),
    )
    .with('changed', (db) =>
      db
        .updateTable('boards')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .where('id', 'in', (eb) => eb.selectFrom('ended').select('board_id')),
    )
    .with('files', (db) => linkFiles(db.selectFrom('ended').select('id'), param('fileIds')))
    .selectFrom('ended')
    .select('id'),
);

const restartMedia = prepared<OnBoard & { readonly id: number; readonly revision: number }>()((param) =>
  build
    .with('board', () => changeBoard(param).returning('id'))
    .with('retried', (db) =>
      db
        .updateTable('media')
        .from('board')
        .set({ state: 'created', error: null, revision: param('revision') })
        .whereRef('media.board_id', '=', 'board.id')
        .where('media.id', '=', param('id'))
        .where('media.state', '=', 'failed')
        .where('media.revision', '=', sql<number>`${param('revision')}::integer - 1`)
        .returning(MEDIA),
    )
    .selectNoFrom((eb) => jsonObjectFrom(eb.selectFrom('retried').selectAll()).as('media')),
);

const retryFailed = prepared<{ error: string | null; after: number; limit: number }>()((param) =>
  build
    .with('failed', (db) =>
      db
        .selectFrom('media')
        .innerJoin('boards', 'boards.id', 'media.board_id')
        .select(['media.id', 'media.board_id'])
        .where('boards.deleted_at', 'is', null)
        .where('media.state', '=', 'failed')
        .where('media.id', '>', param('after'))
        .where(sql<boolean>`(${param('error')}::text is null or media.error = ${param('error')})`)
        .orderBy('media.id')
        .limit(param('limit')),
    )
    .with('locked', (db) =>
      db
        .selectFrom('boards')
        .select('id')
        .where('id', 'in', (eb) => eb.selectFrom('failed').select('board_id'))
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .forUpdate(),
    )
    .with('changed', (db) =>
      db
        .updateTable('boards')
        .from('locked')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .whereRef('boards.id', '=', 'locked.id')
        .returning('boards.id'),
    )
    .with('retried', (db) =>
      db
        .updateTable('media')
        .from('changed')
        .set((eb) => ({ state: 'created' as const, error: null, revision: eb('revision', '+', 1) }))
        .whereRef('media.board_id', '=', 'changed.id')
        .where('media.id', 'in', (eb) => eb.selectFrom('failed').select('id'))
        .where('media.state', '=', 'failed')
        .returning(['media.id', 'media.revision']),
    )
    .selectFrom('failed')
    .leftJoin('retried', 'retried.id', 'failed.id')
    .select(['failed.id', 'retried.revision'])
    .orderBy('failed.id'),
);

const NOTHING: MediaContent = {
  fileKey: null,
  controlImageKey: null,
  contentType: null,
  width: null,
  height: null,
  duration: null,
  placeholder: null,
  thumbnails: [],
};

export class PostgresMedia implements MediaStore {
  constructor(private readonly database: Database) {}

  async add(media: NewMedia): ReturnType<MediaStore['add']> {
    const row = await this.database.one(addMedia, media).catch(folderGone);
    if (!row) return { missing: 'folder' };
    return row.media ? toMediaView(row.media) : { missing: row.board_exists ? 'folder' : 'board' };
  }

  async move(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): ReturnType<MediaStore['move']> {
    const move = { workspaceId, boardId, ids, folderId };
    const row = await this.database.one(moveMedia, move).catch(folderGone);
    if (!row) return { missing: 'folder' };
    return row.is_allowed ? row.media.map(toMediaView) : { missing: row.board_exists ? 'folder' : 'board' };
  }

  async remove(workspaceId: number, boardId: number, ids: readonly number[]): ReturnType<MediaStore['remove']> {
    const row = await this.database.one(removeMedia, { workspaceId, boardId, ids });
    return row!.board_exists ? { ids: row!.ids ?? [], fileIds: row!.file_ids ?? [] } : null;
  }

  async find(workspaceId: number, boardId: number, id: number): Promise<Media | null> {
    const row = await this.database.one(findMedia, { workspaceId, boardId, id });
    return row && toMedia(row);
  }

  async waiting(id: number, revision: number): Promise<CreatedMedia | null> {
    const row = await this.database.one(findWaiting, { id, revision });
    return row && { ...identityOf(row), state: 'created' };
  }

  async end(media: ProcessedMedia | FailedMedia, fileIds: readonly number[]): Promise<boolean> {
    const { id, revision, state } = media;
    const content = media.state === 'processed' ? media.content : NOTHING;
    const error = media.state === 'failed' ? media.error : null;
    const thumbnails = JSON.stringify(content.thumbnails);
    const values = { ...content, id, revision, state, error, thumbnails, fileIds };
    return (await this.database.one(endMedia, values)) !== null;
  }

  async restart({ workspaceId, boardId, id, revision }: CreatedMedia): Promise<MediaView | null> {
    const row = await this.database.one(restartMedia, { workspaceId, boardId, id, revision });
    return row!.media && toMediaView(row!.media);
  }

  async retryFailed(options: Parameters<MediaStore['retryFailed']>[0]): ReturnType<MediaStore['retryFailed']> {
    const rows = await this.database.run(retryFailed, options);
    return {
      retried: rows.flatMap(({ id, revision }) => (revision === null ? [] : [{ id, revision }])),
      next: rows.length < options.limit ? null : rows.at(-1)!.id,
    };
  }
}

/** The folder was deleted between the start and the end of the statement. */
function folderGone(error: unknown): null {
  if (isForeignKeyViolation(error)) return null;
  throw error;
}

export function toMediaView(row: MediaRow): MediaView {
  return {
    ...toContent(row),
    id: row.id,
    folderId: row.folder_id,
    extras: row.extras,
    state: row.state,
    error: row.error,
    createdAt: new Date(row.created_at),
  };
}

function toContent(row: ContentRow): MediaContent {
  return {
    fileKey: row.file_key,
    controlImageKey: row.control_image_key,
    contentType: row.content_type,
    width: row.width,
    height: row.height,
    duration: row.duration,
    placeholder: row.placeholder,
    thumbnails: row.thumbnails,
  };
}

type StateRow = MediaColumns & { workspace_id: number };

function toMedia(row: StateRow): Media {
  const identity = identityOf(row);
  switch (row.state) {
    case 'created':
      return { ...identity, state: 'created' };
    case 'processed':
      return { ...identity, state: 'processed', content: toContent(row) };
    case 'failed':
      return { ...identity, state: 'failed', error: row.error ?? 'internal_error' };
  }
}

function identityOf(row: StateRow): Omit<CreatedMedia, 'state'> {
  return {
    id: row.id,
    boardId: row.board_id,
    workspaceId: row.workspace_id,
    revision: row.revision,
    sources: { url: row.source_url, controlImage: row.source_control_image },
  };
}
