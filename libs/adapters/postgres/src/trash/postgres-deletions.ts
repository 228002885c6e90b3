import { sql } from 'kysely';
import type { DeletedItem, DeletionStore, TrashKind } from '#trash';
import { fileIdsOf } from './entries.ts';
import { changeBoardsWith } from '../board/postgres-media.ts';
import type { Database } from '../database.ts';
import { anyIn, anyOf } from '../prepared.ts';
import { Board, File, Folder, LibraryItem, TrashEntry } from '../schema.ts';
import { fieldsOf } from '../shapes.ts';

/** The rows that `deleteSome` deletes: each table, and the column that has the id of the entry or of the item. */
const SOME = {
  board: [['media', 'board_id']],
  folder: [['media', 'deletion_id']],
  media: [['media', 'deletion_id']],
  // Any row of a style keeps the files of its weights and pictures (`hasRows`).
  persona: [
    ['trainings', 'persona_id'],
    ['styles', 'persona_id'],
  ],
} as const satisfies Record<Exclude<TrashKind, 'item'>, unknown>;

export class PostgresDeletions implements DeletionStore {
  constructor(private readonly database: Database) {}

  async find(entryIds: readonly number[]): Promise<readonly DeletedItem[]> {
    return this.database.kysely
      .selectFrom('trash')
      .select(fieldsOf('trash', ['id', 'kind', 'itemId', 'expiresAt', 'workspaceId']))
      .where('id', '=', anyOf(sql.val(entryIds)))
      .orderBy('id')
      .execute();
  }

  async expired(now: Date, limit: number): Promise<readonly number[]> {
    const entries = this.database.kysely.selectFrom('trash').select('id').where('expires_at', '<=', now);
    return (await entries.orderBy('expires_at').limit(limit).execute()).map(({ id }) => id);
  }

  filesOf(entryIds: readonly number[]): Promise<readonly number[]> {
    return fileIdsOf(this.database, entryIds);
  }

  async deleteSome({ id, kind, itemId }: DeletedItem, limit: number): Promise<boolean> {
    if (kind === 'item') return this.#deleteItems(id, limit);
    const { kysely } = this.database;
    for (const [table, column] of SOME[kind]) {
      const value = column === 'deletion_id' ? id : itemId;
      const rows = kysely.selectFrom(table).select('id').where(sql.ref(column), '=', value).limit(limit);
      const deleted = await kysely.deleteFrom(table).where('id', '=', anyIn(rows)).returning('id').execute();
      if (deleted.length > 0) return true;
    }
    return false;
  }

  /** Files that something else needs stay: without their item, and not as outputs. */
  async #deleteItems(entryId: number, limit: number): Promise<boolean> {
    const { em, kysely } = this.database;
    const files = kysely.selectFrom('files').select('id').where('removal_id', '=', entryId).orderBy('id').limit(limit);
    const ids = (await files.forNoKeyUpdate().execute()).map(({ id }) => id);
    await em.nativeDelete(LibraryItem, { fileId: { $in: ids } });
    await changeBoardsWith(this.database, ids);
    const outputs = kysely
      .selectFrom('generation_outputs')
      .select('generation_id')
      .where('file_id', '=', anyOf(sql.val(ids)));
    await kysely.updateTable('generations').set({ outputs_deleted: true }).where('id', 'in', outputs).execute();
    await em.nativeUpdate(File, { id: { $in: ids } }, { removalId: null });
    return ids.length > 0;
  }

  async deleteRest({ id, kind, itemId }: DeletedItem): Promise<boolean> {
    const { em } = this.database;
    if ((await em.count(File, { deletionId: id })) > 0) return false;
    if (kind === 'persona' && !(await this.#deletePersona(itemId))) return false;
    if (kind === 'folder') await this.#deleteFolders(id);
    if (kind === 'board') {
      await em.nativeDelete(Folder, { boardId: itemId });
      await em.nativeDelete(Board, { id: itemId });
      await em.nativeDelete(TrashEntry, { boardId: itemId });
    }
    await em.nativeDelete(TrashEntry, { id });
    return true;
  }

  /** @returns false, without effect, while the persona has files or uploads */
  async #deletePersona(id: number): Promise<boolean> {
    const deleted = await this.database.kysely
      .deleteFrom('personas')
      .where('id', '=', id)
      .where((eb) => eb.not(eb.exists(eb.selectFrom('files').whereRef('persona_id', '=', 'personas.id'))))
      .where((eb) => eb.not(eb.exists(eb.selectFrom('uploads').whereRef('persona_id', '=', 'personas.id'))))
      .returning('id')
      .execute();
    return deleted.length > 0;
  }

  /** Deletes the folders of an entry. What was deleted from them on its own moves to the root of the board. */
  async #deleteFolders(entryId: number): Promise<void> {
    const { em, kysely } = this.database;
    const folders = kysely.selectFrom('folders').select('folders.id').where('folders.deletion_id', '=', entryId);
    await kysely.updateTable('media').set({ folder_id: null, place: null }).where('folder_id', 'in', folders).execute();
    await kysely
      .updateTable('folders')
      .set({ parent_id: null })
      .where('parent_id', 'in', folders)
      .where('deletion_id', 'is distinct from', entryId)
      .execute();
    await em.nativeDelete(Folder, { deletionId: entryId });
  }
}
