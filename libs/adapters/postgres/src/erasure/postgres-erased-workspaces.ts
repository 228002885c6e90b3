import type { ErasedWorkspaces } from '#erasure';
import type { Deletion } from '#files';
import type { Database } from '../database.ts';
import { anyIn } from '../prepared.ts';
import { CreditEntry, DiscardedObject, Generation, JobRow, LibraryWord, TrashEntry, Workspace } from '../schema.ts';
import { addEntries } from '../trash/entries.ts';

/**
 * Tables that must have no rows of a workspace before it is deleted: it has bytes in the storage, or jobs at a
 * provider.
 */
const CONTENTS = ['files', 'uploads', 'generations', 'boards', 'personas', 'trash', 'discarded_objects'] as const;

export class PostgresErasedWorkspaces implements ErasedWorkspaces {
  constructor(private readonly database: Database) {}

  async deleteItems(workspaceId: number, deletion: Deletion, limit: number): Promise<boolean> {
    const { em } = this.database;
    await em.nativeUpdate(TrashEntry, { workspaceId, expiresAt: { $gt: deletion.at } }, { expiresAt: deletion.at });
    const boards = await this.#deleteSome('board', workspaceId, deletion, limit);
    return (await this.#deleteSome('persona', workspaceId, deletion, limit)) || boards;
  }

  async #deleteSome(
    kind: 'board' | 'persona',
    workspaceId: number,
    deletion: Deletion,
    limit: number,
  ): Promise<boolean> {
    const table = kind === 'board' ? 'boards' : 'personas';
    const rows = await this.database.kysely
      .selectFrom(table)
      .select(['id', 'name'])
      .where((eb) => eb.and({ workspace_id: workspaceId, deletion_id: null }))
      .orderBy('id')
      .limit(limit)
      .forNoKeyUpdate()
      .execute();
    const items = rows.map(({ id, name }) => ({ kind, workspaceId, itemId: id, boardId: null, name }));
    const entryIds = await addEntries(this.database, items, deletion);
    for (const [index, { id }] of rows.entries()) {
      const update = this.database.kysely.updateTable(table).set({ deletion_id: entryIds[index]! });
      await update.where('id', '=', id).execute();
    }
    return rows.length > 0;
  }

  entriesAfter(workspaceId: number, after: number, limit: number): Promise<readonly number[]> {
    return this.#idsAfter('trash', workspaceId, after, limit);
  }

  async deleteGenerations(workspaceId: number, limit: number): Promise<number> {
    const { em, kysely } = this.database;
    const rows = await kysely
      .selectFrom('generations')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('state', 'not in', ['queued', 'running'])
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('submissions')
              .whereRef('submissions.generation_id', '=', 'generations.id')
              .where('submissions.state', '=', 'canceling'),
          ),
        ),
      )
      .orderBy('id')
      .limit(limit)
      .forUpdate()
      .execute();
    const ids = rows.map(({ id }) => id);
    await em.nativeDelete(CreditEntry, { generationId: { $in: ids } });
    await em.nativeDelete(Generation, { id: { $in: ids } });
    return ids.length;
  }

  filesAfter(workspaceId: number, after: number, limit: number): Promise<readonly number[]> {
    return this.#idsAfter('files', workspaceId, after, limit);
  }

  async endGrace(workspaceId: number, now: Date): Promise<void> {
    const { em } = this.database;
    await em.nativeUpdate(DiscardedObject, { workspaceId }, { dueAt: now, keptUntil: null });
  }

  async clearAuditLog(workspaceId: number, limit: number): Promise<number> {
    const { kysely } = this.database;
    const entries = kysely
      .selectFrom('audit_log')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where((eb) => eb.or([eb('address', 'is not', null), eb('target_name', 'is not', null)]))
      .limit(limit);
    const cleared = await kysely
      .updateTable('audit_log')
      .set({ address: null, target_name: null })
      .where('id', '=', anyIn(entries))
      .returning('id')
      .execute();
    return cleared.length;
  }

  /** A transaction that adds something to the workspace locks its row `for key share`, by a foreign key. */
  async delete(workspaceId: number): Promise<boolean> {
    const { em, kysely } = this.database;
    // Requests hold the workspace before they lock the membership of their caller.
    await kysely.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forUpdate().execute();
    const members = kysely.selectFrom('memberships').select('user_id').where('workspace_id', '=', workspaceId);
    await members.orderBy('user_id').forUpdate().execute();
    for (const table of CONTENTS) {
      const left = kysely.selectFrom(table).select('workspace_id').where('workspace_id', '=', workspaceId).limit(1);
      if (await left.executeTakeFirst()) return false;
    }
    await em.nativeDelete(JobRow, { workspaceId });
    await em.nativeDelete(LibraryWord, { workspaceId });
    await em.nativeDelete(Workspace, { id: workspaceId });
    return true;
  }

  async #idsAfter(
    table: 'trash' | 'files',
    workspaceId: number,
    after: number,
    limit: number,
  ): Promise<readonly number[]> {
    const rows = await this.database.kysely
      .selectFrom(table)
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }
}
