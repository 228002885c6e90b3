import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { DiscardedFiles, TakenObjects } from '#files';
import type { Database } from '../database.ts';
import { anyIn, anyOf, build, prepared } from '../prepared.ts';
import type { KeptFile, Tables } from '../schema.ts';
import { insertFrom } from '../shapes.ts';
import { addRows } from '../trash/entries.ts';
import { isNeeded, isReferenced } from './file-rows.ts';

/**
 * Whoever refers to a file locks its row `for key share`, which conflicts with `for update`. So a file is locked
 * first, and its references are read by the next statement: only that one sees what was committed before the lock
 * was granted.
 */
export class PostgresDiscardedFiles implements DiscardedFiles {
  constructor(private readonly database: Database) {}

  async discardExpired(now: Date, forgottenAt: Date, limit: number): Promise<number> {
    return (await this.database.run(DISCARD_EXPIRED, { now, forgottenAt, limit })).length;
  }

  async discardUnneeded(ids: readonly number[], now: Date, keptUntil: Date | null = null): Promise<readonly number[]> {
    const locked = idsOf(await this.database.run(LOCK, { ids }));
    await this.database.run(DISCARD_UNNEEDED, { ids: locked, now, keptUntil });
    if (locked.length === ids.length) return [];
    return idsOf(await this.database.run(OTHERS, { ids, locked }));
  }

  async reviewAdded(now: Date, limit: number, keptUntil: Date | null = null): Promise<number> {
    const ids = idsOf(await this.database.run(LOCK_FOR_REVIEW, { now, limit }));
    if (ids.length === 0) return 0;
    await this.database.run(DISCARD_UNNEEDED, { ids, now, keptUntil });
    await this.database.run(REVIEWED, { ids });
    return ids.length;
  }

  async detachFromPersona(personaId: number, now: Date, limit: number, keptUntil: Date | null = null): Promise<number> {
    const ids = idsOf(await this.database.run(LOCK_OF_PERSONA, { personaId, limit }));
    if (keptUntil !== null) await this.database.run(KEEP_FOR_PERSONA, { ids, personaId });
    await this.database.run(DISCARD_UNREFERENCED, { ids, now, keptUntil });
    await this.database.run(DETACH, { ids });
    return ids.length;
  }

  async takeObjects(now: Date, limit: number): Promise<TakenObjects> {
    const taken = await this.database.run(TAKE_OBJECTS, { now, limit });
    const keysOf = (isKept: boolean) => taken.filter((each) => each.isKept === isKept).map(({ key }) => key);
    return { toDelete: keysOf(false), toKeep: keysOf(true) };
  }

  async eraseKept(ids: readonly number[], now: Date): Promise<void> {
    await this.database.run(ERASE_KEPT, { ids, now });
  }

  async removePersona(personaId: number): Promise<boolean> {
    if (!(await this.database.any(LOCK_PERSONA, { personaId }))) return true;
    return this.database.any(REMOVE_PERSONA, { personaId });
  }
}

function idsOf(rows: readonly { readonly id: number }[]): readonly number[] {
  return rows.map(({ id }) => id);
}

interface Ids {
  readonly ids: readonly number[];
}

/** Locks files; those that are locked already are left out. */
const LOCKED_FILES = build.selectFrom('files').select('files.id').forUpdate('files').skipLocked();

const discardUnless = (keeps: (eb: ExpressionBuilder<Tables, 'files'>) => Expression<SqlBool>) =>
  prepared<Ids & { readonly now: Date; readonly keptUntil: Date | null }>()((p) =>
    insertFrom(
      build
        .with('discarded', (db) =>
          db
            .deleteFrom('files')
            .where('id', '=', anyOf(p('ids')))
            .where((eb) => eb.not(keeps(eb)))
            .returning(['key', keptFile(p('keptUntil')).as('file')]),
        )
        .insertInto('discarded_objects'),
      (eb) => eb.selectFrom('discarded'),
      (eb) => ({
        key: eb.ref('discarded.key'),
        due_at: p('now'),
        kept_until: sql<Date | null>`case when file is not null then ${p('keptUntil')}::timestamptz end`,
        file: eb.ref('discarded.file'),
      }),
    ),
  );

/** The record of a deleted file with its outputs, to bring it back from; null for a file that is not kept. */
function keptFile(keptUntil: RawBuilder<Date | null>): RawBuilder<KeptFile | null> {
  const rows = (table: string) =>
    sql`(select coalesce(jsonb_agg(t), '[]') from ${sql.table(table)} t where t.file_id = files.id)`;
  return sql`case when ${keptUntil}::timestamptz is not null and files.expires_at is null then
    to_jsonb(files) || jsonb_build_object('outputs', ${rows('generation_outputs')}, 'thumbnails', ${rows('generation_thumbnails')}) end`;
}

const DISCARD_UNNEEDED = discardUnless(isNeeded);

const DISCARD_UNREFERENCED = discardUnless(isReferenced);

// Nothing refers to a temporary file; if anything did, it must not keep the others from expiring.
const DISCARD_EXPIRED = prepared<{ now: Date; forgottenAt: Date; limit: number }>()((p) => {
  const expired = LOCKED_FILES.where('expires_at', '<=', p('now'))
    .where((eb) => eb.not(isReferenced(eb)))
    .orderBy('expires_at')
    .orderBy('id')
    .limit(p('limit'));
  return build
    .with('gone', (db) => db.deleteFrom('files').where('id', '=', anyIn(expired)).returning(['id', 'key']))
    .with('discarded', (db) =>
      insertFrom(
        db.insertInto('discarded_objects'),
        (eb) => eb.selectFrom('gone'),
        (eb) => ({ key: eb.ref('gone.key'), due_at: p('now') }),
      ),
    )
    .with('forgotten', (db) =>
      db
        .updateTable('uploads')
        .set({ state: 'expired', file_id: null, clean_up_at: p('forgottenAt') })
        .where((eb) => eb('file_id', '=', anyIn(eb.selectFrom('gone').select('gone.id'))))
        .where('state', '=', 'finalized'),
    )
    .selectFrom('gone')
    .select('gone.id');
});

const LOCK = prepared<Ids>()((p) => LOCKED_FILES.where('id', '=', anyOf(p('ids'))));

const OTHERS = prepared<Ids & { readonly locked: readonly number[] }>()((p) =>
  build
    .selectFrom('files')
    .select('id')
    .where('id', '=', anyOf(p('ids')))
    .where((eb) => eb.not(eb('id', '=', anyOf(p('locked'))))),
);

const LOCK_FOR_REVIEW = prepared<{ now: Date; limit: number }>()((p) =>
  LOCKED_FILES.where('review_at', '<=', p('now')).orderBy('review_at').orderBy('id').limit(p('limit')),
);

const update = (set: { readonly review_at: null } | { readonly persona_id: null }) =>
  prepared<Ids>()((p) =>
    build
      .updateTable('files')
      .set(set)
      .where('id', '=', anyOf(p('ids'))),
  );

const REVIEWED = update({ review_at: null });

const DETACH = update({ persona_id: null });

const LOCK_OF_PERSONA = prepared<{ personaId: number; limit: number }>()((p) =>
  LOCKED_FILES.innerJoin('personas', (join) =>
    join.onRef('personas.id', '=', 'files.persona_id').on('personas.deleted_at', 'is not', null),
  )
    .where('files.persona_id', '=', p('personaId'))
    .orderBy('files.id')
    .limit(p('limit')),
);

/** Any constant will do. A backup has it alone; whoever takes objects shares it until their bytes are gone. */
export const BYTES_LOCK = 8_120_413;

const TAKE_OBJECTS = prepared<{ now: Date; limit: number }>()((p) => {
  const due = build
    .selectFrom('discarded_objects')
    .select('key')
    .where('due_at', '<=', p('now'))
    .where(sql<boolean>`(select pg_try_advisory_xact_lock_shared(${sql.lit(BYTES_LOCK)}))`)
    .orderBy('due_at')
    .limit(p('limit'))
    .forUpdate()
    .skipLocked();
  return build
    .with('taken', (db) =>
      db
        .deleteFrom('discarded_objects')
        .where('key', '=', anyIn(due))
        .returning(['key', 'file', 'kept_until', sql<boolean>`coalesce(kept_until > ${p('now')}, false)`.as('isKept')]),
    )
    .with('kept', (db) =>
      insertFrom(
        db.insertInto('discarded_objects'),
        (eb) => eb.selectFrom('taken').where('taken.isKept', '=', true),
        (eb) => ({
          key: sql<string>`regexp_replace(taken.key, '^files/', 'kept/')`,
          due_at: sql<Date>`taken.kept_until`,
          file: eb.ref('taken.file'),
        }),
      ),
    )
    .selectFrom('taken')
    .select(['key', 'isKept']);
});

const LOCK_PERSONA = prepared<{ personaId: number }>()((p) =>
  build
    .selectFrom('personas')
    .select('id')
    .where('id', '=', p('personaId'))
    .where('deleted_at', 'is not', null)
    .forUpdate(),
);

/** Which permanent files the entry of the persona in the trash has, if there is one. */
const KEEP_FOR_PERSONA = prepared<Ids & { personaId: number }>()((p) =>
  build
    .with('kept', () =>
      addRows(
        'files',
        sql`(select t.id as trash_id, '{}'::jsonb as content,
            array(select id from files where id = any(${p('ids')}) and expires_at is null) as file_ids
          from trash t where t.kind = 'persona' and t.item_id = ${p('personaId')})`,
      ),
    )
    .selectFrom('kept')
    .select('kept.trash_id'),
);

const REMOVE_PERSONA = prepared<{ personaId: number }>()((p) =>
  build
    .with('removed', (db) =>
      db
        .deleteFrom('personas')
        .where('id', '=', p('personaId'))
        .where((eb) => eb.not(eb.exists(eb.selectFrom('files').whereRef('persona_id', '=', 'personas.id'))))
        .where((eb) => eb.not(eb.exists(eb.selectFrom('uploads').whereRef('persona_id', '=', 'personas.id'))))
        .returning(['id', sql<object>`to_jsonb(personas)`.as('content')]),
    )
    .with('kept', () => addRows('personas', keptOf(sql`removed.content`)))
    .with('kept_generations', () =>
      addRows(
        'generations',
        keptOf(sql`jsonb_build_object('ids',
          (select coalesce(jsonb_agg(g.id), '[]') from generations g where g.persona_id = removed.id))`),
      ),
    )
    .selectFrom('removed')
    .select('removed.id'),
);

/** For the entry of the removed persona in the trash, if there is one. */
function keptOf(content: RawBuilder<unknown>) {
  return sql<{ trash_id: number; content: object; file_ids: number[] }>`(
    select t.id as trash_id, ${content} as content, '{}'::bigint[] as file_ids
    from removed join trash t on t.kind = 'persona' and t.item_id = removed.id)`;
}

const ERASE_KEPT = prepared<Ids & { readonly now: Date }>()((p) =>
  build
    .updateTable('discarded_objects')
    .set({ due_at: p('now'), kept_until: null, file: null })
    .where(sql<boolean>`file is not null and (file ->> 'id')::bigint = any(${p('ids')})`),
);
