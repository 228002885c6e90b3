import { sql, type RawBuilder } from 'kysely';
import type { DiscardedFiles, DecidedFiles, TakenObjects } from '#files';
import type { Database } from '../database.ts';
import { anyIn, anyOf, build, prepared } from '../prepared.ts';
import { File } from '../schema.ts';
import { excluded, insertFrom, refs } from '../shapes.ts';
import { hasRows, isNeeded, isReferenced, keepingEntry } from './file-rows.ts';

/** Has the sweep delete the object `key` at `at`. */
export async function discardObject({ kysely }: Database, key: string, at: Date): Promise<void> {
  await kysely
    .insertInto('discarded_objects')
    .values({ key, due_at: at })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ due_at: at }))
    .execute();
}

/**
 * A transaction that refers to a file locks its row `for key share`, which conflicts with `for update`. So a file is
 * locked first, and the next statement reads its references: its snapshot has all references committed before the lock.
 */
export class PostgresDiscardedFiles implements DiscardedFiles {
  constructor(private readonly database: Database) {}

  discardExpired(now: Date, forgottenAt: Date, limit: number): ReturnType<DiscardedFiles['discardExpired']> {
    return this.database.run(discardExpired, { now, forgottenAt, limit });
  }

  async decide(ids: readonly number[], now: Date, keptUntil: Date | null = null): Promise<DecidedFiles> {
    // A picture that is locked gets no further thumbnails and variants.
    const pictures = idsOf(await this.database.run(lockFiles, { ids }));
    const derived = idsOf(await this.database.run(findThumbnails, { ids }));
    const free = [...pictures, ...idsOf(await this.database.run(lockFiles, { ids: derived }))];
    const all = [...ids, ...derived];
    const revived = await this.#decide(free, now, keptUntil);
    if (free.length === all.length) return { locked: [], revived };
    return { locked: idsOf(await this.database.run(findOthers, { ids: all, free })), revived };
  }

  async reviewAdded(now: Date, limit: number, keptUntil: Date | null = null): Promise<number> {
    const ids = idsOf(await this.database.run(lockForReview, { now, limit }));
    if (ids.length === 0) return 0;
    await this.#decideWithThumbnails(ids, now, keptUntil);
    await this.database.em.nativeUpdate(File, { id: { $in: ids } }, { reviewAt: null });
    return ids.length;
  }

  async detachFromPersona(personaId: number, now: Date, limit: number): Promise<number> {
    const ids = idsOf(await this.database.run(lockOfPersona, { personaId, limit }));
    // Before they lose the persona, outputs move to the trash: outputs that have no persona are needed.
    await this.#decideWithThumbnails(ids, now, null);
    await this.database.em.nativeUpdate(File, { id: { $in: ids } }, { personaId: null });
    await this.#decideWithThumbnails(ids, now, null);
    return ids.length;
  }

  async discardOf(entryId: number, now: Date, limit: number): Promise<number> {
    const ids = idsOf(await this.database.run(lockOfEntry, { entryId, limit }));
    await this.#decideWithThumbnails(ids, now, null);
    return ids.length;
  }

  async takeObjects(now: Date, limit: number): Promise<TakenObjects> {
    const taken = await this.database.run(takeObjects, { now, limit });
    const keysOf = (isKept: boolean) => taken.filter((each) => each.isKept === isKept).map(({ key }) => key);
    return { toDelete: keysOf(false), toKeep: keysOf(true) };
  }

  /** Decides locked files, with those of their thumbnails that no other unit of work has locked. */
  async #decideWithThumbnails(ids: readonly number[], now: Date, keptUntil: Date | null): Promise<void> {
    const thumbnails = idsOf(await this.database.run(findThumbnails, { ids }));
    await this.#decide([...ids, ...idsOf(await this.database.run(lockFiles, { ids: thumbnails }))], now, keptUntil);
  }

  /** @returns the keys of the files that are needed again */
  async #decide(ids: readonly number[], now: Date, keptUntil: Date | null): Promise<readonly string[]> {
    await this.database.run(discardUnneeded, { ids, now, keptUntil });
    return changeEntries(this.database, ids, now);
  }
}

/**
 * Moves files into the trash, to another entry or out of the trash. The caller has locked them, or has deleted or restored
 * what refers to them.
 *
 * @returns the keys of the files that left the trash
 */
export async function changeEntries(database: Database, ids: readonly number[], now: Date): Promise<readonly string[]> {
  const changed = await database.run(changeEntry, { ids, now });
  return changed.filter(({ isBack }) => isBack).map(({ key }) => key);
}

function idsOf(rows: readonly { readonly id: number }[]): readonly number[] {
  return rows.map(({ id }) => id);
}

interface Ids {
  readonly ids: readonly number[];
}

/** Locks files; skips locked files. */
const selectUnlocked = build.selectFrom('files').select('files.id').forUpdate('files').skipLocked();

/** The key under which the bytes of a deleted file are kept. */
const keptKey = (key: string) => sql<string>`'kept/' || regexp_replace(${sql.ref(key)}, '^files/', '')`;

/** A file that nothing needs is deleted, unless a trash entry refers to it. The trash has no temporary files. */
const discardUnneeded = prepared<Ids & { readonly now: Date; readonly keptUntil: Date | null }>()((param) =>
  build
    .with('discarded', (db) =>
      db
        .deleteFrom('files')
        .where('id', '=', anyOf(param('ids')))
        .where((eb) => eb.not(isNeeded(eb)))
        .where((eb) => eb.not(hasRows(eb)))
        .where((eb) => eb.or([eb('expires_at', 'is not', null), eb(keepingEntry(eb), 'is', null)]))
        .returning(['key', 'workspace_id', 'expires_at', 'deletion_id']),
    )
    .insertInto('discarded_objects')
    .columns(['key', 'workspace_id', 'due_at', 'kept_until'])
    .expression(() => {
      const isPermanent = sql<boolean>`expires_at is null and deletion_id is null`;
      return sql`
        select key, workspace_id, ${param('now')}::timestamptz, case when ${isPermanent} then ${param('keptUntil')}::timestamptz end
        from discarded
        union all
        select ${keptKey('key')}, workspace_id, ${param('now')}::timestamptz, null from discarded where deletion_id is not null`;
    })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(excluded('discarded_objects', 'due_at', 'kept_until')),
    ),
);

/** Also updates when the bytes of the files are deleted. */
const changeEntry = prepared<Ids & { readonly now: Date }>()((param) =>
  build
    .with('decided', (db) =>
      db
        .selectFrom('files')
        .where('files.id', '=', anyOf(param('ids')))
        .select('files.id')
        .select((eb) => sql<number | null>`case when not ${isNeeded(eb)} then ${keepingEntry(eb)} end`.as('entry_id')),
    )
    .with('changed', (db) =>
      db
        .updateTable('files')
        .from('decided')
        .set((eb) => ({ deletion_id: eb.ref('decided.entry_id') }))
        .whereRef('files.id', '=', 'decided.id')
        .whereRef('files.deletion_id', 'is distinct from', 'decided.entry_id')
        .returning(['files.key', 'files.workspace_id', 'files.deletion_id']),
    )
    .with('back', (db) =>
      db
        .deleteFrom('discarded_objects')
        .using('changed')
        .where('changed.deletion_id', 'is', null)
        .where((eb) => eb('discarded_objects.key', 'in', [eb.ref('changed.key'), keptKey('changed.key')])),
    )
    .with('kept', (db) =>
      insertFrom(
        db.insertInto('discarded_objects'),
        (eb) => eb.selectFrom('changed').innerJoin('trash', 'trash.id', 'changed.deletion_id'),
        (eb) => ({
          ...refs(eb, 'changed', 'key', 'workspace_id'),
          due_at: param('now'),
          kept_until: eb.ref('trash.expires_at'),
        }),
      ).onConflict((conflict) => conflict.column('key').doUpdateSet(excluded('discarded_objects', 'kept_until'))),
    )
    .selectFrom('changed')
    .select(['key', sql<boolean>`deletion_id is null`.as('isBack')]),
);

/** An expired file is deleted. Skips referenced files: nothing should refer to a temporary file. */
const discardExpired = prepared<{ now: Date; forgottenAt: Date; limit: number }>()((param) => {
  const expired = selectUnlocked
    .where('expires_at', '<=', param('now'))
    .where((eb) => eb.not(isReferenced(eb)))
    .where((eb) => eb.not(hasRows(eb)))
    .orderBy('expires_at')
    .orderBy('id')
    .limit(param('limit'));
  return build
    .with('gone', (db) =>
      db
        .deleteFrom('files')
        .where('id', '=', anyIn(expired))
        .returning(['id', 'key', 'workspace_id', 'filename', 'customer']),
    )
    .with('discarded', (db) =>
      insertFrom(
        db.insertInto('discarded_objects'),
        (eb) => eb.selectFrom('gone'),
        (eb) => ({ ...refs(eb, 'gone', 'key', 'workspace_id'), due_at: param('now') }),
      ),
    )
    .with('forgotten', (db) =>
      db
        .updateTable('uploads')
        .set({ state: 'expired', file_id: null, clean_up_at: param('forgottenAt') })
        .where((eb) => eb('file_id', '=', anyIn(eb.selectFrom('gone').select('gone.id'))))
        .where('state', '=', 'finalized'),
    )
    .selectFrom('gone')
    .select(['gone.id', 'gone.workspace_id as workspaceId', 'gone.filename', 'gone.customer']);
});

const findThumbnails = prepared<Ids>()((param) =>
  build
    .selectFrom('files')
    .select('id')
    .where('picture_id', '=', anyOf(param('ids'))),
);

const lockFiles = prepared<Ids>()((param) => selectUnlocked.where('id', '=', anyOf(param('ids'))));

const findOthers = prepared<Ids & { readonly free: readonly number[] }>()((param) =>
  build
    .selectFrom('files')
    .select('id')
    .where('id', '=', anyOf(param('ids')))
    .where((eb) => eb.not(eb('id', '=', anyOf(param('free'))))),
);

const lockForReview = prepared<{ now: Date; limit: number }>()((param) =>
  selectUnlocked.where('review_at', '<=', param('now')).orderBy('review_at').orderBy('id').limit(param('limit')),
);

const lockOfPersona = prepared<{ personaId: number; limit: number }>()((param) =>
  selectUnlocked
    .innerJoin('personas', (join) =>
      join.onRef('personas.id', '=', 'files.persona_id').on('personas.deletion_id', 'is not', null),
    )
    .where('files.persona_id', '=', param('personaId'))
    .orderBy('files.id')
    .limit(param('limit')),
);

const lockOfEntry = prepared<{ entryId: number; limit: number }>()((param) =>
  selectUnlocked.where('deletion_id', '=', param('entryId')).limit(param('limit')),
);

/** Any constant. A backup locks it exclusively; deletions of bytes share it until they end. */
export const BYTES_LOCK = 8_120_413;

const takeObjects = prepared<{ now: Date; limit: number }>()((param) => {
  const due = build
    .selectFrom('discarded_objects')
    .select('key')
    .where('due_at', '<=', param('now'))
    .where(sql<boolean>`(select pg_try_advisory_xact_lock_shared(${sql.lit(BYTES_LOCK)}))`)
    .orderBy('due_at')
    .limit(param('limit'))
    .forUpdate()
    .skipLocked();
  return build
    .with('taken', (db) =>
      db
        .deleteFrom('discarded_objects')
        .where('key', '=', anyIn(due))
        .returning(['key', 'workspace_id', 'kept_until', isKeptAt(param('now')).as('isKept')]),
    )
    .with('kept', (db) =>
      insertFrom(
        db.insertInto('discarded_objects'),
        (eb) => eb.selectFrom('taken').where('taken.isKept', '=', true),
        (eb) => ({
          key: keptKey('taken.key'),
          workspace_id: eb.ref('taken.workspace_id'),
          due_at: sql<Date>`taken.kept_until`,
        }),
      ).onConflict((conflict) => conflict.column('key').doUpdateSet(excluded('discarded_objects', 'due_at'))),
    )
    .selectFrom('taken')
    .select(['key', 'isKept']);
});

function isKeptAt(now: RawBuilder<Date>): RawBuilder<boolean> {
  return sql`coalesce(kept_until > ${now}, false)`;
}
