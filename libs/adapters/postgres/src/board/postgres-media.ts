import { sql, type Expression, type InferResult, type RawBuilder } from 'kysely';
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
import type { Deletion } from '#files';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { countOf, fieldsOf, insertFrom } from '../shapes.ts';
import { addEntries } from '../trash/entries.ts';
import { boardOf, changeBoard, lockBoard, nextVersion, type OnBoard } from './postgres-boards.ts';

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
    .where('folders.id', '=', folderId)
    .where('folders.deletion_id', 'is', null)}))`;

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
    .selectFrom('added')
    .selectAll(),
);

const findFolder = prepared<{ boardId: number; folderId: number }>()((param) =>
  build
    .selectFrom('folders')
    .select('id')
    .where('board_id', '=', param('boardId'))
    .where('id', '=', param('folderId'))
    .where('deletion_id', 'is', null),
);

const moveMedia = prepared<{ boardId: number; ids: readonly number[]; folderId: number | null }>()((param) =>
  build
    .updateTable('media')
    .set({ folder_id: param('folderId') })
    .where('board_id', '=', param('boardId'))
    .where('id', '=', anyOf(param('ids')))
    .where('deletion_id', 'is', null)
    .returning(MEDIA),
);

const lockForDeletion = prepared<OnBoard>()((param) => boardOf(param).select('id').forUpdate());

const findDeletable = prepared<{ readonly boardId: number; readonly ids: readonly number[] }>()((param) =>
  build
    .selectFrom('media')
    .select('id')
    .where('board_id', '=', param('boardId'))
    .where('id', '=', anyOf(param('ids')))
    .where('deletion_id', 'is', null),
);

interface MediaEntries {
  readonly boardId: number;
  readonly ids: readonly number[];
  readonly entryIds: readonly number[];
}

const deleteMedia = prepared<MediaEntries>()((param) =>
  build
    .with('gone', (db) =>
      db
        .updateTable('media')
        .from(
          sql<{
            media_id: number;
            id: number;
          }>`unnest(${param('ids')}::bigint[], ${param('entryIds')}::bigint[])`.as<'entry'>(sql`entry (media_id, id)`),
        )
        .set((eb) => ({ deletion_id: eb.ref('entry.id') }))
        .whereRef('media.id', '=', 'entry.media_id')
        .returning('media.id'),
    )
    .updateTable('boards')
    .set((eb) => ({
      version: eb('version', '+', 1),
      media_count: eb('media_count', '-', countOf(eb.selectFrom('gone'))),
    }))
    .where('id', '=', param('boardId')),
);

const mediaOnBoard = () =>
  build
    .selectFrom('media')
    .innerJoin('boards', 'boards.id', 'media.board_id')
    .where('boards.deletion_id', 'is', null)
    .where('media.deletion_id', 'is', null)
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
        .where('boards.deletion_id', 'is', null)
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
        .where('media.deletion_id', 'is', null)
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
        .where('media.deletion_id', 'is', null)
        .where('media.revision', '=', sql<number>`${param('revision')}::integer - 1`)
        .returning(MEDIA),
    )
    .selectFrom('retried')
    .selectAll(),
);

const retryFailed = prepared<{ error: string | null; after: number; limit: number }>()((param) =>
  build
    .with('failed', (db) =>
      db
        .selectFrom('media')
        .innerJoin('boards', 'boards.id', 'media.board_id')
        .select(['media.id', 'media.board_id'])
        .where('boards.deletion_id', 'is', null)
        .where('media.deletion_id', 'is', null)
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
        .where('deletion_id', 'is', null)
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
        .where('media.deletion_id', 'is', null)
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

  async add(media: NewMedia): ReturnType<MediaStore['add']> {
    // In a statement of its own: the next one sees the folders as they are under the lock.
    if (!(await this.database.any(lockBoard, media))) return { missing: 'board' };
    const row = await this.database.one(addMedia, media);
    return row ?? { missing: 'folder' };
  }

  async move(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    folderId: number | null,
  ): ReturnType<MediaStore['move']> {
    if (!(await this.database.any(lockBoard, { workspaceId, boardId }))) return { missing: 'board' };
    // Under the lock of the board, which whoever deletes a folder takes too.
    const isMissing = folderId !== null && !(await this.database.any(findFolder, { boardId, folderId }));
    return isMissing ? { missing: 'folder' } : this.database.run(moveMedia, { boardId, ids, folderId });
  }

  async delete(
    workspaceId: number,
    boardId: number,
    ids: readonly number[],
    deletion: Deletion,
  ): ReturnType<MediaStore['delete']> {
    if (!(await this.database.any(lockForDeletion, { workspaceId, boardId }))) return null;
    const found = await this.database.run(findDeletable, { boardId, ids });
    const items = found.map(({ id }) => ({ kind: 'media', workspaceId, itemId: id, boardId, name: null }) as const);
    const entries = await addEntries(this.database, items, deletion);
    const [deletedIds, entryIds] = [entries.map(({ itemId }) => itemId), entries.map(({ id }) => id)];
    if (entries.length > 0) await this.database.run(deleteMedia, { boardId, ids: deletedIds, entryIds });
    return { ids: deletedIds, entryIds };
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

  restart({ workspaceId, boardId, id, revision }: CreatedMedia): Promise<MediaView | null> {
    return this.database.one(restartMedia, { workspaceId, boardId, id, revision });
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
