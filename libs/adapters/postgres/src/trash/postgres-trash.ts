import { sql } from 'kysely';
import { pageOf, type Page, type PageRequest } from '#kernel';
import type { Restored, TrashEntry, TrashStore } from '#trash';
import { fileIdsOf } from './entries.ts';
import type { Database } from '../database.ts';
import { changeEntries } from '../files/discarded-files.ts';
import { anyOf, build, pageValues, prepared, type PageValues, type Param } from '../prepared.ts';
import { File, TrashEntry as TrashTable } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

/** Placeholder of the picture that a media item or an item of the library shows. */
const placeholder = sql<string | null>`(
  select placeholder from files
  where case trash.kind
    when 'item' then files.id = trash.item_id
    when 'media' then files.key = (
      select coalesce(file_key, control_image_key) from media where media.id = trash.item_id) end)`;
const countOfItems = sql<number>`case when trash.kind = 'item' then (
  select count(*) from files join library_items on library_items.file_id = files.id where files.removal_id = trash.id
) else 1 end`;
/** Entries that can be restored. */
const selectEntries = (param: Param<{ workspaceId: number; now: Date }>) =>
  build
    .selectFrom('trash')
    .select(fieldsOf('trash', ['id', 'kind', 'itemId', 'boardId', 'name', 'deletedBy', 'deletedAt', 'expiresAt']))
    .select(placeholder.as('placeholder'))
    .select(countOfItems.as('count'))
    .where('workspace_id', '=', param('workspaceId'))
    .where('expires_at', '>', param('now'));

const existing = (table: 'folders' | 'media') =>
  sql`from ${sql.table(table)} where board_id = boards.id and deletion_id is null`;

/** The lock of the board, or its deletion, has raised its version. */
const recountBoard = prepared<{ boardId: number }>()((param) =>
  build
    .updateTable('boards')
    .set({
      folders_count: sql<number>`(select count(*) ${existing('folders')})`,
      media_count: sql<number>`(select count(*) ${existing('media')} and replaced_by is null)`,
    })
    .where('id', '=', param('boardId')),
);

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
    await this.database.run(lockFiles, { workspaceId, ids: await fileIdsOf(this.database, [entryId]) });
    return this.database.one(lockEntry, { workspaceId, entryId, now });
  }

  async isFolderDeleted({ kind, itemId }: TrashEntry): Promise<boolean> {
    if (kind !== 'media' && kind !== 'folder') return false;
    const { kysely } = this.database;
    const folderId =
      kind === 'media'
        ? kysely.selectFrom('media').select('folder_id').where('id', '=', itemId).$asScalar()
        : kysely.selectFrom('folders').select('parent_id').where('id', '=', itemId).$asScalar();
    const folder = kysely
      .selectFrom('folders')
      .select('deletion_id')
      .where('id', '=', sql<number>`${folderId}`);
    return ((await folder.executeTakeFirst())?.deletion_id ?? null) !== null;
  }

  async restore(entry: TrashEntry, now: Date): Promise<Restored> {
    const { id: entryId, kind, itemId } = entry;
    const fileIds = await fileIdsOf(this.database, [entryId]);
    const media = await this.#restoreRows(entryId);
    const keys = await this.#restoreFiles(entryId, fileIds, now);
    const boardId = kind === 'board' ? itemId : entry.boardId;
    if (boardId !== null) await this.database.run(recountBoard, { boardId });
    await this.database.em.nativeDelete(TrashTable, { id: entryId });
    return {
      parentId: kind === 'folder' ? await this.#parentOf(itemId) : null,
      keys,
      media: kind === 'board' ? await this.#unprocessedMediaOf(itemId) : media,
      trainings: kind === 'persona' ? await this.#unfetchedTrainingsOf(itemId) : [],
    };
  }

  /** @returns the restored media items whose sources are still to be processed */
  async #restoreRows(entryId: number): Promise<Restored['media']> {
    const { em, kysely } = this.database;
    await em.nativeUpdate(File, { removalId: entryId }, { removedAt: null, removalId: null });
    for (const table of ['boards', 'folders', 'personas'] as const) {
      await kysely.updateTable(table).set({ deletion_id: null }).where('deletion_id', '=', entryId).execute();
    }
    const media = await kysely
      .updateTable('media')
      .set({ deletion_id: null })
      .where('deletion_id', '=', entryId)
      .returning(['id', 'revision', 'state'])
      .execute();
    return media.filter(({ state }) => state === 'created').map(({ id, revision }) => ({ id, revision }));
  }

  /**
   * Also cancels the deletion and the move of the files' bytes. A file that another deletion still has in the trash moves to
   * that entry. @returns the keys of the files that are needed again
   */
  async #restoreFiles(entryId: number, fileIds: readonly number[], now: Date): Promise<readonly string[]> {
    const { kysely } = this.database;
    const ofEntry = kysely.selectFrom('files').select('id').where('deletion_id', '=', entryId);
    const ids = [...fileIds, ...(await ofEntry.execute()).map(({ id }) => id)];
    return changeEntries(this.database, [...new Set(ids)], now);
  }

  async #parentOf(folderId: number): Promise<number | null> {
    const folder = this.database.kysely.selectFrom('folders').select('parent_id').where('id', '=', folderId);
    return (await folder.executeTakeFirstOrThrow()).parent_id;
  }

  async #unprocessedMediaOf(boardId: number): Promise<Restored['media']> {
    return this.database.kysely
      .selectFrom('media')
      .select(['id', 'revision'])
      .where((eb) => eb.and({ board_id: boardId, deletion_id: null, state: 'created' }))
      .execute();
  }

  async #unfetchedTrainingsOf(personaId: number): Promise<Restored['trainings']> {
    return this.database.kysely
      .selectFrom('trainings')
      .select(['id', 'picture_version as pictureVersion'])
      .where((eb) => eb.and({ persona_id: personaId, state: 'created' }))
      .execute();
  }

  async expire({ id }: TrashEntry, now: Date): Promise<void> {
    await this.database.em.nativeUpdate(TrashTable, { id }, { expiresAt: now });
  }
}

type Restorable = { readonly workspaceId: number; readonly now: Date };

const listEntries = prepared<PageValues & Restorable>()((param) =>
  selectEntries(param).where('id', '<', param('before')).orderBy('id', 'desc').limit(param('limit')),
);

const selectEntry = (param: Param<Restorable & { readonly entryId: number }>) =>
  selectEntries(param).where('id', '=', param('entryId'));

const findEntry = prepared<Restorable & { readonly entryId: number }>()(selectEntry);

type Lockable = { readonly workspaceId: number; readonly ids: readonly number[] };

const lockEntry = prepared<Restorable & { readonly entryId: number }>()((param) => selectEntry(param).forUpdate());

/**
 * The files of deleted items: before the entry, which a transaction that has locked a file refers to; and in the order in which
 * a deletion locks them.
 */
const lockFiles = prepared<Lockable>()((param) =>
  build
    .selectFrom('files')
    .select('id')
    .where('workspace_id', '=', param('workspaceId'))
    .where('id', '=', anyOf(param('ids')))
    .orderBy('id')
    .forNoKeyUpdate(),
);
