import { sql } from 'kysely';
import { publicKey, tokenOfKey, type Reconciliation, type ReconciliationCursor, type StorageRecords } from '#files';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { hasRows, isOutput, isReferenced, isThumbnail } from './file-rows.ts';

export class PostgresStorageRecords implements StorageRecords {
  constructor(private readonly database: Database) {}

  async unaccounted(keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.run(findUnaccounted, {
      keys,
      fileKeys: keys.map(publicKey),
      tokens: keys.map(tokenOfKey),
    });
    return rows.map(({ key }) => key);
  }

  filesAfter(after: number | null, before: Date, limit: number): ReturnType<StorageRecords['filesAfter']> {
    return this.database.run(filesAfter, { after: after ?? 0, before, limit });
  }

  async existing(ids: readonly number[]): Promise<readonly number[]> {
    return (await this.database.run(findExisting, { ids })).map(({ id }) => id);
  }

  async removeUnreferenced(ids: readonly number[]): Promise<readonly number[]> {
    return (await this.database.run(removeUnreferenced, { ids })).map(({ id }) => id);
  }

  claimNight(now: Date): Promise<ReconciliationCursor | null> {
    return this.database.one(claimNight, { now });
  }

  async saveNight({ object, file }: ReconciliationCursor, result: Reconciliation, now: Date): Promise<void> {
    await this.database.run(saveNight, { object, file, now, result: JSON.stringify(result) });
  }
}

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
      .where((eb) => eb.not(eb.exists(eb.selectFrom('files').whereRef('files.key', '=', 'object.file_key'))))
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom('discarded_objects').whereRef('discarded_objects.key', '=', 'object.key'))),
      )
      // An upload that was not finalized accounts for all its objects, which the sweep deletes; a finalized one for what
      // is left under `staging/` until that is cleaned up.
      .where((eb) => {
        const uploads = eb.selectFrom('uploads').whereRef('uploads.token', '=', 'object.token');
        const isUnfinished = eb.exists(uploads.where('uploads.state', 'in', ['allocated', 'frozen']));
        const isCleanedUpLater = eb.exists(uploads.where('uploads.clean_up_at', 'is not', null));
        return eb.not(eb.or([isUnfinished, eb.and([eb('object.key', 'like', 'staging/%'), isCleanedUpLater])]));
      }),
);

const filesAfter = prepared<{ after: number; before: Date; limit: number }>()((param) =>
  build
    .selectFrom('files')
    .select(['id', 'key'])
    .where('id', '>', param('after'))
    .where('created_at', '<', param('before'))
    .where('deletion_id', 'is', null)
    .orderBy('id')
    .limit(param('limit')),
);

const findExisting = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .selectFrom('files')
    .select('id')
    .where('id', '=', anyOf(param('ids')))
    .where('deletion_id', 'is', null),
);

const removeUnreferenced = prepared<{ ids: readonly number[] }>()((param) =>
  build
    .deleteFrom('files')
    .where('id', '=', anyOf(param('ids')))
    .where((eb) => eb.not(eb.or([hasRows(eb), isReferenced(eb), isOutput(eb), isThumbnail(eb)])))
    .returning('id'),
);

const claimNight = prepared<{ now: Date }>()((param) => {
  const night = sql<string>`(${param('now')}::timestamptz at time zone 'utc')::date`;
  return build
    .updateTable('reconciliation')
    .set({ night })
    .where('night', '<', night)
    .returning(['object_key as object', 'file_id as file']);
});

const saveNight = prepared<{ object: string | null; file: number | null; now: Date; result: string }>()((param) =>
  build
    .updateTable('reconciliation')
    .set({
      object_key: param('object'),
      file_id: param('file'),
      compared_at: param('now'),
      result: sql<Reconciliation>`${param('result')}::jsonb`,
    }),
);
