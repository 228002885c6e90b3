import { sql } from 'kysely';
import { publicKey, tokenOfKey, type Reconciliation, type ReconciliationCursor, type StorageRecords } from '#files';
import type { Database } from '../database.ts';
import { anyOf, build, prepared } from '../prepared.ts';
import { hasRows, isOutput, isReferenced, isThumbnail } from './file-rows.ts';

export class PostgresStorageRecords implements StorageRecords {
  constructor(private readonly database: Database) {}

  async unaccounted(keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.run(UNACCOUNTED, {
      keys,
      fileKeys: keys.map(publicKey),
      tokens: keys.map(tokenOfKey),
    });
    return rows.map(({ key }) => key);
  }

  filesAfter(after: number | null, before: Date, limit: number): ReturnType<StorageRecords['filesAfter']> {
    return this.database.run(FILES_AFTER, { after: after ?? 0, before, limit });
  }

  async existing(ids: readonly number[]): Promise<readonly number[]> {
    return (await this.database.run(EXISTING, { ids })).map(({ id }) => id);
  }

  async removeUnreferenced(ids: readonly number[]): Promise<readonly number[]> {
    return (await this.database.run(REMOVE_UNREFERENCED, { ids })).map(({ id }) => id);
  }

  claimNight(now: Date): Promise<ReconciliationCursor | null> {
    return this.database.one(CLAIM_NIGHT, { now });
  }

  async saveNight({ object, file }: ReconciliationCursor, result: Reconciliation, now: Date): Promise<void> {
    await this.database.run(SAVE_NIGHT, { object, file, now, result: JSON.stringify(result) });
  }
}

const UNACCOUNTED = prepared<{ keys: readonly string[]; fileKeys: readonly string[]; tokens: readonly string[] }>()(
  (p) =>
    build
      .selectFrom(
        sql<{
          key: string;
          file_key: string;
          token: string;
        }>`unnest(${p('keys')}::text[], ${p('fileKeys')}::text[], ${p('tokens')}::text[])`.as<'object'>(
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

const FILES_AFTER = prepared<{ after: number; before: Date; limit: number }>()((p) =>
  build
    .selectFrom('files')
    .select(['id', 'key'])
    .where('id', '>', p('after'))
    .where('created_at', '<', p('before'))
    .where('deletion_id', 'is', null)
    .orderBy('id')
    .limit(p('limit')),
);

const EXISTING = prepared<{ ids: readonly number[] }>()((p) =>
  build
    .selectFrom('files')
    .select('id')
    .where('id', '=', anyOf(p('ids')))
    .where('deletion_id', 'is', null),
);

const REMOVE_UNREFERENCED = prepared<{ ids: readonly number[] }>()((p) =>
  build
    .deleteFrom('files')
    .where('id', '=', anyOf(p('ids')))
    .where((eb) => eb.not(eb.or([hasRows(eb), isReferenced(eb), isOutput(eb), isThumbnail(eb)])))
    .returning('id'),
);

const CLAIM_NIGHT = prepared<{ now: Date }>()((p) => {
  const night = sql<string>`(${p('now')}::timestamptz at time zone 'utc')::date`;
  return build
    .updateTable('reconciliation')
    .set({ night })
    .where('night', '<', night)
    .returning(['object_key as object', 'file_id as file']);
});

const SAVE_NIGHT = prepared<{ object: string | null; file: number | null; now: Date; result: string }>()((p) =>
  build
    .updateTable('reconciliation')
    .set({
      object_key: p('object'),
      file_id: p('file'),
      compared_at: p('now'),
      result: sql<Reconciliation>`${p('result')}::jsonb`,
    }),
);
