import { sql } from 'kysely';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Restored, TrashEntry, TrashStore } from '#trash';
import { fileIdsOf } from './deleted-files.ts';
import { bringBackFromJson } from './back-from-json.ts';
import type { Database } from '../database.ts';
import { anyOf, build, pageValues, prepared, type PageValues } from '../prepared.ts';
import { TrashEntry as TrashTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

const ENTRY = fieldsOf('trash', [
  'id',
  'kind',
  'itemId',
  'boardId',
  'name',
  'deletedBy',
  'deletedAt',
  'expiresAt',
] as const);

const ofMedia = build
  .selectFrom('media')
  .select('placeholder')
  .whereRef('media.id', '=', sql.ref<number>('trash.item_id'))
  .where(sql<boolean>`trash.kind = 'media'`);
/** Until 0.3: of an entry whose rows are JSON still. */
const ofJson = sql<string | null>`(
  select content ->> 'placeholder' from trash_rows
  where trash_id = trash.id and relation = 'media' and trash.kind = 'media')`;
const PLACEHOLDER = sql<string | null>`coalesce(${ofMedia}, ${ofJson})`.as('placeholder');

export class PostgresTrash implements TrashStore {
  constructor(private readonly database: Database) {}

  async list(workspaceId: number, now: Date, page: PageRequest): Promise<Page<TrashEntry>> {
    const rows = await this.database.run(listEntries, { workspaceId, now, ...pageValues(page) });
    return pageOf(rows, page.limit, (entry) => entry.id);
  }

  exists(workspaceId: number, entryId: number, now: Date): Promise<boolean> {
    return this.database.any(findEntry, { workspaceId, entryId, now });
  }

  async lock(workspaceId: number, entryId: number, now: Date): Promise<TrashEntry | null> {
    const entry = await this.database.one(lockEntry, { workspaceId, entryId, now });
    if (entry) await bringBackFromJson(this.database, [workspaceId]);
    return entry;
  }

  isFolderDeleted({ kind, itemId }: TrashEntry): Promise<boolean> {
    if (kind === 'media') return this.database.any(findDeletedFolder, { itemId });
    return kind === 'folder' ? this.database.any(findDeletedParent, { itemId }) : Promise.resolve(false);
  }

  async restore(entry: TrashEntry): Promise<Restored> {
    const { kind, itemId } = entry;
    const entryId = entry.id;
    const fileIds = await fileIdsOf(this.database, [entryId]);
    const rows = (await this.database.one(restoreRows, { entryId }))!;
    const keys = (await this.database.run(restoreFiles, { entryId, fileIds })).map(({ key }) => key);
    await this.database.run(keepNoBytes, { keys });
    const boardId = kind === 'board' ? itemId : entry.boardId;
    if (boardId !== null) await this.database.run(recount, { boardId });
    await this.database.em.nativeDelete(TrashTable, { id: entryId });
    const media = kind === 'board' ? await this.database.run(findUnprocessed, { boardId: itemId }) : rows.media;
    const trainings = kind === 'persona' ? await this.database.run(findUnfetched, { personaId: itemId }) : [];
    const parentId = kind === 'folder' ? (await this.database.one(findParent, { itemId }))!.parentId : null;
    return { parentId, keys, media, trainings };
  }

  async expire({ id }: TrashEntry, now: Date): Promise<void> {
    await this.database.em.nativeUpdate(TrashTable, { id }, { expiresAt: now });
  }
}

interface InWorkspace {
  readonly workspaceId: number;
  readonly entryId: number;
  readonly now: Date;
}

const listEntries = prepared<PageValues & { workspaceId: number; now: Date }>()((param) =>
  build
    .selectFrom('trash')
    .select(ENTRY)
    .select(PLACEHOLDER)
    .where('workspace_id', '=', param('workspaceId'))
    .where('expires_at', '>', param('now'))
    .where('id', '<', param('before'))
    .orderBy('id', 'desc')
    .limit(param('limit')),
);

const findEntry = prepared<InWorkspace>()((param) =>
  build
    .selectFrom('trash')
    .select('id')
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', param('entryId'))
    .where('expires_at', '>', param('now')),
);

const lockEntry = prepared<InWorkspace>()((param) =>
  build
    .selectFrom('trash')
    .select(ENTRY)
    .select(PLACEHOLDER)
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', param('entryId'))
    .where('expires_at', '>', param('now'))
    .forUpdate(),
);

interface Item {
  readonly itemId: number;
}

const findDeletedFolder = prepared<Item>()((param) =>
  build
    .selectFrom('media')
    .innerJoin('folders', 'folders.id', 'media.folder_id')
    .select('folders.id')
    .where('media.id', '=', param('itemId'))
    .where('folders.deletion_id', 'is not', null),
);

const findDeletedParent = prepared<Item>()((param) =>
  build
    .selectFrom('folders')
    .innerJoin('folders as parent', 'parent.id', 'folders.parent_id')
    .select('parent.id')
    .where('folders.id', '=', param('itemId'))
    .where('parent.deletion_id', 'is not', null),
);

const findParent = prepared<Item>()((param) =>
  build.selectFrom('folders').select('parent_id as parentId').where('id', '=', param('itemId')),
);

const restoreRows = prepared<{ entryId: number }>()((param) => {
  const restored = (table: 'boards' | 'folders' | 'media' | 'personas') =>
    build.updateTable(table).set({ deletion_id: null }).where('deletion_id', '=', param('entryId'));
  return build
    .with('board', () => restored('boards'))
    .with('folder', () => restored('folders'))
    .with('persona', () => restored('personas'))
    .with('item', () => restored('media').returning(['id', 'revision', 'state'] as never))
    .selectNoFrom(
      sql<Restored['media']>`(
        select coalesce(json_agg(json_build_object('id', id, 'revision', revision)), '[]')
        from item where state = 'created')`.as('media'),
    );
});

const restoreFiles = prepared<{ entryId: number; fileIds: readonly number[] }>()((param) =>
  build
    .updateTable('files')
    .set({ deletion_id: null })
    .where('deletion_id', 'is not', null)
    .where((eb) => eb.or([eb('id', '=', anyOf(param('fileIds'))), eb('deletion_id', '=', param('entryId'))]))
    .returning('key'),
);

/** The bytes of these files are not moved or deleted any more. */
const keepNoBytes = prepared<{ keys: readonly string[] }>()((param) =>
  build.deleteFrom('discarded_objects').where(
    sql<boolean>`key = any(${param('keys')}::text[] ||
        array(select regexp_replace(key, '^files/', 'kept/') from unnest(${param('keys')}::text[]) as restored (key)))`,
  ),
);

const findUnprocessed = prepared<{ boardId: number }>()((param) =>
  build
    .selectFrom('media')
    .select(['id', 'revision'])
    .where('board_id', '=', param('boardId'))
    .where('deletion_id', 'is', null)
    .where('state', '=', 'created'),
);

const findUnfetched = prepared<{ personaId: number }>()((param) =>
  build
    .selectFrom('trainings')
    .select(['id', 'picture_version as pictureVersion'])
    .where('persona_id', '=', param('personaId'))
    .where('state', '=', 'created'),
);

const recount = prepared<{ boardId: number }>()((param) =>
  build
    .updateTable('boards')
    .set((eb) => ({
      version: eb('version', '+', 1),
      folders_count: sql<number>`(select count(*) from folders where board_id = boards.id and deletion_id is null)`,
      media_count: sql<number>`(select count(*) from media where board_id = boards.id and deletion_id is null)`,
    }))
    .where('id', '=', param('boardId')),
);
