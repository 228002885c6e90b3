import { sql, type Expression, type InferResult, type RawBuilder } from 'kysely';
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
import type { Removal } from '#files';
import type { Caller } from '#identity';
import type { Database } from '../database.ts';
import { stillActs } from '../identity/postgres-tokens.ts';
import { anyOf, briefWrite, build, prepared } from '../prepared.ts';
import { arrayOf, countOf, fieldsOf, insertFrom } from '../shapes.ts';
import { addEntries, addRows, filesOfMedia } from '../trash/entries.ts';
import { isForeignKeyViolation } from '../translate-database-error.ts';
import { boardOf, callerValues, changeBoard, filesOf, nextVersion, type OnBoard } from './postgres-boards.ts';

const CONTENT = [
  'fileKey',
  'controlImageKey',
  'contentType',
  'width',
  'height',
  'duration',
  'placeholder',
  'thumbnails',
] as const;
/** The columns of a media that clients see. */
export const MEDIA = fieldsOf('media', ['id', 'folderId', 'extras', 'state', 'error', ...CONTENT, 'createdAt']);
/** The columns that its state is made of. */
const STATE = fieldsOf('media', ['id', 'boardId', 'revision', 'state', 'error', ...CONTENT]);

/** Within a statement on boards: whether the folder, if any, is on the board. */
const hasFolder = (folderId: RawBuilder<number | null>) =>
  sql<boolean>`(${folderId}::bigint is null or exists (${build
    .selectFrom('folders')
    .select('folders.id')
    .where('folders.board_id', '=', sql<number>`boards.id`)
    .where('folders.id', '=', folderId)}))`;

/** Refers from each of these media to the files. */
const linkFiles = (media: Expression<{ id: number }>, fileIds: RawBuilder<readonly number[]>) =>
  insertFrom(
    build.insertInto('media_files'),
    (eb) => eb.selectFrom(sql<{ id: number }>`${media}`.as('linked')),
    (linked) => ({ media_id: linked.ref('linked.id'), file_id: sql<number>`unnest(${fileIds}::bigint[])` }),
  ).onConflict((conflict) => conflict.doNothing());

const addMedia = prepared<NewMedia>()((param) =>
  build
    .with('board', () =>
      changeBoard(param)
        .set((eb) => ({ media_count: eb('media_count', '+', 1) }))
        .where(hasFolder(param('folderId')))
        .returning('id'),
    )
    .with('added', (db) =>
      insertFrom(
        db.insertInto('media'),
        (eb) => eb.selectFrom('board'),
        (board) => ({
          board_id: board.ref('board.id'),
          source_url: param('url'),
          source_control_image: param('controlImage'),
          ...param.columns('folderId', 'createdBy', 'extras', 'state', 'createdAt'),
        }),
      ).returning(MEDIA),
    )
    .with('files', (db) => linkFiles(db.selectFrom('added').select('id'), param('fileIds')))
    .selectFrom('board')
    .select((eb) => jsonObjectFrom(eb.selectFrom('added').selectAll()).$notNull().as('media')),
);

interface Move extends OnBoard {
  readonly ids: readonly number[];
  readonly folderId: number | null;
}

const moveMedia = briefWrite(
  prepared<Move & ReturnType<typeof callerValues>>()((param) =>
    build
      .with('board', () =>
        changeBoard(param)
          .where(hasFolder(param('folderId')))
          .where(stillActs(param('tokenId'), param('workspaceId'), param('now')))
          .returning('id'),
      )
      .with('moved', (db) =>
        db
          .updateTable('media')
          .from('board')
          .set({ folder_id: param('folderId') })
          .whereRef('media.board_id', '=', 'board.id')
          .where('media.id', '=', anyOf(param('ids')))
          .returning(MEDIA),
      )
      .selectFrom('board')
      .select((eb) => jsonArrayFrom(eb.selectFrom('moved').selectAll()).as('media')),
  ),
);

const findBoard = prepared<OnBoard>()((param) => boardOf(param).select('id'));

const removeMedia = prepared<OnBoard & Removal & { readonly ids: readonly number[] }>()((param) =>
  build
    .with('board', () => boardOf(param).select('id').forUpdate())
    .with('gone', (db) =>
      db
        .deleteFrom('media')
        .using('board')
        .whereRef('media.board_id', '=', 'board.id')
        .where('media.id', '=', anyOf(param('ids')))
        .returning(['media.id', sql<object>`to_jsonb(media)`.as('content')]),
    )
    .with('entry', () =>
      addEntries(
        'media',
        param,
        sql`(select ${param('workspaceId')}::bigint as workspace_id, gone.id as item_id, board.id as board_id,
          null::text as name from gone, board)`,
      ),
    )
    .with('kept', () =>
      addRows(
        'media',
        sql`(select e.id as trash_id, gone.content, ${filesOfMedia('gone.id')} as file_ids
          from entry e join gone on gone.id = e.item_id)`,
      ),
    )
    .with('counted', (db) =>
      nextVersion
        .set((eb) => ({ media_count: eb('media_count', '-', countOf(db.selectFrom('gone'))) }))
        .where('id', 'in', sql<number>`${db.selectFrom('board').select('id')}`),
    )
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('board')).as('hasBoard'),
      arrayOf(eb.selectFrom('gone').select('id')).as('ids'),
      filesOf(eb.selectFrom('gone').select('id')).as('fileIds'),
    ]),
);

const mediaOnBoard = () =>
  build
    .selectFrom('media')
    .innerJoin('boards', 'boards.id', 'media.board_id')
    .where('boards.deleted_at', 'is', null)
    .select(STATE)
    .select(['boards.workspace_id as workspaceId', 'source_url as url', 'source_control_image as controlImage']);

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
        .set({ ...param.columns('state', 'error', ...CONTENT), thumbnails: sql`${param('thumbnails')}::jsonb` })
        .whereRef('media.board_id', '=', 'board.id')
        .where('media.id', '=', param('id'))
        .where('media.revision', '=', param('revision'))
        .where('media.state', '=', 'created')
        .returning(['media.id', 'media.board_id']),
    )
    .with('changed', (db) => nextVersion.where('id', 'in', sql<number>`${db.selectFrom('ended').select('board_id')}`))
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
        .returning(['boards.id', 'boards.workspace_id']),
    )
    .with('retried', (db) =>
      db
        .updateTable('media')
        .from('changed')
        .set((eb) => ({ state: 'created' as const, error: null, revision: eb('revision', '+', 1) }))
        .whereRef('media.board_id', '=', 'changed.id')
        .where('media.id', 'in', (eb) => eb.selectFrom('failed').select('id'))
        .where('media.state', '=', 'failed')
        .returning(['media.id', 'media.revision', 'changed.workspace_id']),
    )
    .selectFrom('failed')
    .leftJoin('retried', 'retried.id', 'failed.id')
    .select(['failed.id', 'retried.revision', 'retried.workspace_id'])
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

  add(media: NewMedia): ReturnType<MediaStore['add']> {
    return this.database
      .one(addMedia, media)
      .then(async (row) => (row ? toMediaView(row.media) : this.missing(media)))
      .catch(folderGone);
  }

  move(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
    by?: Caller,
  ): ReturnType<MediaStore['move']> {
    const values = { workspaceId, boardId, ids, folderId, ...callerValues(by) };
    return this.database
      .one(moveMedia, values)
      .then(async (row) => (row ? row.media.map(toMediaView) : this.missing(values)))
      .catch(folderGone);
  }

  async remove(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    removal: Removal,
  ): ReturnType<MediaStore['remove']> {
    const row = (await this.database.one(removeMedia, { workspaceId, boardId, ids, ...removal }))!;
    return row.hasBoard ? row : null;
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

  async end(media: ProcessedMedia | FailedMedia, fileIds: readonly number[]): Promise<boolean> {
    const { id, revision, state } = media;
    const content = state === 'processed' ? media.content : NOTHING;
    const error = state === 'failed' ? media.error : null;
    const thumbnails = JSON.stringify(content.thumbnails);
    return this.database.any(endMedia, { ...content, id, revision, state, error, thumbnails, fileIds });
  }

  async restart({ workspaceId, boardId, id, revision }: CreatedMedia): Promise<MediaView | null> {
    const { media } = (await this.database.one(restartMedia, { workspaceId, boardId, id, revision }))!;
    return media && toMediaView(media);
  }

  async retryFailed(options: Parameters<MediaStore['retryFailed']>[0]): ReturnType<MediaStore['retryFailed']> {
    const rows = await this.database.run(retryFailed, options);
    return {
      retried: rows.flatMap(({ id, revision, workspace_id: workspaceId }) =>
        revision === null || workspaceId === null ? [] : [{ id, revision, workspaceId }],
      ),
      next: rows.length < options.limit ? null : rows.at(-1)!.id,
    };
  }

  /** What was not there when a statement did nothing. */
  private async missing(board: OnBoard): Promise<{ missing: 'board' | 'folder' }> {
    return { missing: (await this.database.any(findBoard, board)) ? 'folder' : 'board' };
  }
}

/** The folder was deleted between the start and the end of the statement. */
function folderGone(error: unknown): { missing: 'folder' } {
  if (isForeignKeyViolation(error)) return { missing: 'folder' };
  throw error;
}

/** Of a row as PostgreSQL writes it in JSON. */
export function toMediaView(row: Omit<MediaView, 'createdAt'> & { readonly createdAt: string }): MediaView {
  return { ...row, createdAt: new Date(row.createdAt) };
}

type StateRow = InferResult<ReturnType<typeof mediaOnBoard>>[number];

function toMedia({ id, boardId, workspaceId, revision, url, controlImage, state, error, ...content }: StateRow): Media {
  const identity = { id, boardId, workspaceId, revision, sources: { url, controlImage } };
  switch (state) {
    case 'created':
      return { ...identity, state };
    case 'processed':
      return { ...identity, state, content };
    case 'failed':
      return { ...identity, state, error: error ?? 'internal_error' };
  }
}
