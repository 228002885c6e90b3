import { sql } from 'kysely';
import type { Source, VariantClaim, VariantFailure, VariantRecords, VariantState } from '#transformation';
import type { Database } from '../database.ts';
import { brief, build, prepared } from '../prepared.ts';
import { fieldsOf } from '../shapes.ts';

export class PostgresVariantRecords implements VariantRecords {
  constructor(private readonly database: Database) {}

  source(key: string): Promise<Source | null> {
    return this.database.one(findSource, { key });
  }

  async find(sourceId: number, options: string, now: Date): Promise<VariantState | null> {
    const row = await this.database.one(findVariant, { sourceId, options });
    if (!row) return null;
    const { id, key, contentType, claimedUntil, failure, variants } = row;
    if (id !== null && key !== null && contentType !== null) return { state: 'made', file: { id, key, contentType } };
    if (claimedUntil === null || claimedUntil <= now) return { state: 'free', variants: variants ?? 0 };
    return failure === null ? { state: 'claimed' } : { state: 'failed', failure };
  }

  claim(claim: VariantClaim, now: Date): Promise<boolean> {
    return this.database.any(claimVariant, { ...claim, now });
  }

  save(claim: VariantClaim, fileId: number): Promise<boolean> {
    return this.database.any(saveVariant, { ...claim, fileId });
  }

  async fail(claim: VariantClaim, failure: VariantFailure, failedUntil: Date): Promise<void> {
    await this.database.run(failVariant, { ...claim, failure, failedUntil });
  }

  async release(claim: VariantClaim): Promise<void> {
    await this.database.run(releaseVariant, claim);
  }

  async forget(fileId: number): Promise<void> {
    await this.database.run(forgetVariant, { fileId });
  }
}

const findSource = brief(
  prepared<{ key: string }>()((param) =>
    build
      .selectFrom('files')
      .select(
        fieldsOf('files', [
          ...(['id', 'workspaceId', 'key', 'filename', 'contentType'] as const),
          ...(['size', 'width', 'height', 'expiresAt'] as const),
        ]),
      )
      .where((eb) => eb.and({ key: param('key'), deletion_id: null })),
  ),
);

const findVariant = brief(
  prepared<Pick<VariantClaim, 'sourceId' | 'options'>>()((param) =>
    build
      .selectFrom('files as source')
      .leftJoin('file_variants as variant', (join) =>
        join.onRef('variant.source_id', '=', 'source.id').on('variant.options', '=', param('options')),
      )
      .leftJoin('files', 'files.id', 'variant.file_id')
      .select(['files.id', 'files.key', 'files.content_type as contentType'])
      .select(['variant.claimed_until as claimedUntil', 'variant.failure'])
      // Counted only where the variant has no row, as views of made ones are many.
      .select(
        sql<number | null>`case when variant.source_id is null then
          (select count(*)::int from file_variants where source_id = source.id) end`.as('variants'),
      )
      .where('source.id', '=', param('sourceId'))
      .where('source.deletion_id', 'is', null),
  ),
);

/** A variant that is neither made nor claimed, or whose claim or failure has ended. */
const claimVariant = prepared<VariantClaim & { readonly now: Date }>()((param) =>
  build
    .insertInto('file_variants')
    .columns(['source_id', 'options', 'claimed_until'])
    .expression((eb) =>
      eb
        .selectFrom('files')
        .select(['id', sql<string>`${param('options')}::text`.as('options')])
        .select(sql<Date>`${param('until')}::timestamptz`.as('claimed_until'))
        .where((file) => file.and({ id: param('sourceId'), deletion_id: null }))
        .forKeyShare(),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['source_id', 'options'])
        .doUpdateSet({ claimed_until: param('until'), failure: null })
        .where('file_variants.file_id', 'is', null)
        .where('file_variants.claimed_until', '<=', param('now')),
    )
    .returning('source_id'),
);

/**
 * The lock of the source makes its deletion wait, and waits for one. The variant of a thumbnail is a file of the picture of
 * that: a file is needed, hidden and deleted with its picture, which has to be one that is needed itself.
 */
const saveVariant = prepared<VariantClaim & { readonly fileId: number }>()((param) =>
  build
    .with('source', (db) =>
      db
        .selectFrom('files')
        .select((eb) => ['id', eb.fn.coalesce('picture_id', 'id').as('picture_id')])
        .where((eb) => eb.and({ id: param('sourceId'), deletion_id: null }))
        .forShare(),
    )
    .with('saved', (db) =>
      db
        .updateTable('file_variants')
        .from('source')
        .set({ file_id: param('fileId'), claimed_until: null })
        .whereRef('file_variants.source_id', '=', 'source.id')
        .where('options', '=', param('options'))
        .where('claimed_until', '=', param('until'))
        .returning('source.picture_id'),
    )
    .updateTable('files')
    .from('saved')
    .set((eb) => ({ picture_id: eb.ref('saved.picture_id') }))
    .where('files.id', '=', param('fileId'))
    .returning('files.id'),
);

const failVariant = prepared<VariantClaim & { readonly failure: VariantFailure; readonly failedUntil: Date }>()(
  (param) =>
    build
      .updateTable('file_variants')
      .set({ failure: param('failure'), claimed_until: param('failedUntil') })
      .where((eb) =>
        eb.and({ source_id: param('sourceId'), options: param('options'), claimed_until: param('until') }),
      ),
);

const releaseVariant = prepared<VariantClaim>()((param) =>
  build
    .deleteFrom('file_variants')
    .where((eb) => eb.and({ source_id: param('sourceId'), options: param('options'), claimed_until: param('until') })),
);

/** A file without its picture is reviewed at once. */
const forgetVariant = prepared<{ fileId: number }>()((param) =>
  build
    .with('forgotten', (db) =>
      db.deleteFrom('file_variants').where('file_id', '=', param('fileId')).returning('file_id'),
    )
    .updateTable('files')
    .from('forgotten')
    .set({ picture_id: null })
    .whereRef('files.id', '=', 'forgotten.file_id'),
);
