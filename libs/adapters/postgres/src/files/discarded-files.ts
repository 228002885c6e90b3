import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';
import type { DiscardedFiles } from '#files';
import type { Database } from '../database.ts';
import { anyIn, anyOf, build, prepared } from '../prepared.ts';
import type { Tables } from '../schema.ts';
import { insertFrom } from '../shapes.ts';
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

  async discardUnneeded(ids: readonly number[], now: Date): Promise<readonly number[]> {
    const locked = idsOf(await this.database.run(LOCK, { ids }));
    await this.database.run(DISCARD_UNNEEDED, { ids: locked, now });
    if (locked.length === ids.length) return [];
    return idsOf(await this.database.run(OTHERS, { ids, locked }));
  }

  async reviewAdded(now: Date, limit: number): Promise<number> {
    const ids = idsOf(await this.database.run(LOCK_FOR_REVIEW, { now, limit }));
    if (ids.length === 0) return 0;
    await this.database.run(DISCARD_UNNEEDED, { ids, now });
    await this.database.run(REVIEWED, { ids });
    return ids.length;
  }

  async detachFromPersona(personaId: number, now: Date, limit: number): Promise<number> {
    const ids = idsOf(await this.database.run(LOCK_OF_PERSONA, { personaId, limit }));
    await this.database.run(DISCARD_UNREFERENCED, { ids, now });
    await this.database.run(DETACH, { ids });
    return ids.length;
  }

  async takeObjects(now: Date, limit: number): Promise<readonly string[]> {
    return (await this.database.run(TAKE_OBJECTS, { now, limit })).map(({ key }) => key);
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
  prepared<Ids & { readonly now: Date }>()((p) =>
    insertFrom(
      build
        .with('discarded', (db) =>
          db
            .deleteFrom('files')
            .where('id', '=', anyOf(p('ids')))
            .where((eb) => eb.not(keeps(eb)))
            .returning('key'),
        )
        .insertInto('discarded_objects'),
      (eb) => eb.selectFrom('discarded'),
      (eb) => ({ key: eb.ref('discarded.key'), due_at: p('now') }),
    ),
  );

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
    .where((eb) => eb.not(eb('id', '=', anyOf(sql<readonly number[]>`${p('locked')}::bigint[]`)))),
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

const TAKE_OBJECTS = prepared<{ now: Date; limit: number }>()((p) => {
  const due = build
    .selectFrom('discarded_objects')
    .select('key')
    .where('due_at', '<=', p('now'))
    .orderBy('due_at')
    .limit(p('limit'))
    .forUpdate()
    .skipLocked();
  return build.deleteFrom('discarded_objects').where('key', '=', anyIn(due)).returning('key');
});

const LOCK_PERSONA = prepared<{ personaId: number }>()((p) =>
  build
    .selectFrom('personas')
    .select('id')
    .where('id', '=', p('personaId'))
    .where('deleted_at', 'is not', null)
    .forUpdate(),
);

const REMOVE_PERSONA = prepared<{ personaId: number }>()((p) =>
  build
    .deleteFrom('personas')
    .where('id', '=', p('personaId'))
    .where((eb) => eb.not(eb.exists(eb.selectFrom('files').whereRef('persona_id', '=', 'personas.id'))))
    .where((eb) => eb.not(eb.exists(eb.selectFrom('uploads').whereRef('persona_id', '=', 'personas.id'))))
    .returning('id'),
);
