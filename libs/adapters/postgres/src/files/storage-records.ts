import { sql } from 'kysely';
import {
  keyOfPlace,
  tokenOfKey,
  unkeptKey,
  type Reconciliation,
  type ReconciliationCursor,
  type StorageRecords,
} from '#files';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { Reconciliation as ReconciliationTable } from '../schema.ts';
import { hasRows, isOutput, isReferenced, isThumbnail } from './file-rows.ts';

export class PostgresStorageRecords implements StorageRecords {
  constructor(private readonly database: Database) {}

  async unaccounted(keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.run(findUnaccounted, {
      keys,
      fileKeys: keys.map((key) => keyOfPlace(unkeptKey(key))),
      tokens: keys.map(tokenOfKey),
    });
    return rows.map(({ key }) => key);
  }

  filesAfter(after: number | null, before: Date, limit: number): ReturnType<StorageRecords['filesAfter']> {
    return this.database.kysely
      .selectFrom('files')
      .select(['id', 'key', sql<boolean>`coalesce(is_private, false)`.as('isPrivate')])
      .where('id', '>', after ?? 0)
      .where('created_at', '<', before)
      .where('deletion_id', 'is', null)
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  async existing(ids: readonly number[]): Promise<readonly number[]> {
    const files = this.database.kysely
      .selectFrom('files')
      .select('id')
      .where('id', '=', anyOf(sql.val(ids)));
    return (await files.where('deletion_id', 'is', null).execute()).map(({ id }) => id);
  }

  async removeUnreferenced(ids: readonly number[]): Promise<readonly number[]> {
    const removed = await this.database.kysely
      .deleteFrom('files')
      .where('id', '=', anyOf(sql.val(ids)))
      .where((eb) => eb.not(eb.or([hasRows(eb), isReferenced(eb), isOutput(eb), isThumbnail(eb)])))
      .returning('id')
      .execute();
    return removed.map(({ id }) => id);
  }

  async claimNight(now: Date): Promise<ReconciliationCursor | null> {
    const night = now.toISOString().slice(0, 10);
    const claimed = await this.database.kysely
      .updateTable('reconciliation')
      .set({ night })
      .where('night', '<', night)
      .returning(['object_key as object', 'file_id as file'])
      .executeTakeFirst();
    return claimed ?? null;
  }

  async saveNight({ object, file }: ReconciliationCursor, result: Reconciliation, now: Date): Promise<void> {
    const saved = { objectKey: object, fileId: file, comparedAt: now, result };
    await this.database.em.nativeUpdate(ReconciliationTable, { onlyRow: true }, saved);
  }
}

/** An object of a file that is not deleted is at the place of its record, except while the workspace's files move. */
const isAtItsPlace = sql<boolean>`(workspaces.files_misplaced
  or case when object.key like 'files/%' then not files.is_private
    when object.key like 'private/%' then files.is_private else true end)`;

const findUnaccounted = prepared<{ keys: readonly string[]; fileKeys: readonly string[]; tokens: readonly string[] }>()(
  (param) =>
    build
      .selectFrom(
        sql<{
          key: string;
          file_key: string;
          token: string;
        }>`unnest(${param('keys')}::text[], ${param('fileKeys')}::text[], ${param('tokens')}::text[])`.as<'object'>(
          sql`object (key, file_key, token)`,
        ),
      )
      .select('object.key')
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('files')
              .innerJoin('workspaces', 'workspaces.id', 'files.workspace_id')
              .whereRef('files.key', '=', 'object.file_key')
              .where(isAtItsPlace),
          ),
        ),
      )
      .where(sql<boolean>`not exists (select from discarded_objects
        where discarded_objects.key in (object.key, regexp_replace(object.key, '^private/', 'files/')))`)
      .where((eb) => eb.not(eb.exists(eb.selectFrom('exports').whereRef('exports.key', '=', 'object.key'))))
      // An upload that was not finalized accounts for all its objects, which the sweep deletes; a finalized one for what
      // is left under `staging/` until that is cleaned up.
      .where((eb) => {
        const uploads = eb.selectFrom('uploads').whereRef('uploads.token', '=', 'object.token');
        const isUnfinished = eb.exists(uploads.where('uploads.state', 'in', ['allocated', 'frozen']));
        const isCleanedUpLater = eb.exists(uploads.where('uploads.clean_up_at', 'is not', null));
        return eb.not(eb.or([isUnfinished, eb.and([eb('object.key', 'like', 'staging/%'), isCleanedUpLater])]));
      }),
);
