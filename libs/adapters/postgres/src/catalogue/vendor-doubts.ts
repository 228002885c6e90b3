import { sql } from 'kysely';
import type { GoneModel, ModelReference, VendorDoubt, VendorDoubts, DoubtedModel } from '#catalogue';
import type { Database } from '../database.ts';

/** Refusals that have led to no mark are forgotten when others come later. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** In place of the revision of an entry of the file. */
const OF_FILE = 0;

/** Refusals of models that vendors say they do not have, and the models that are gone. */
export class PostgresVendorDoubts implements VendorDoubts {
  constructor(private readonly database: Database) {}

  async lock({ model, modelRevision, target }: DoubtedModel): Promise<VendorDoubt> {
    const { refusals, gone_since } = await this.#kysely
      .insertInto('vendor_doubts')
      .values({ model, revision: modelRevision ?? OF_FILE, target, refusals: sql`'[]'`, changed_at: sql`now()` })
      .onConflict((conflict) =>
        conflict.columns(['model', 'revision', 'target']).doUpdateSet({ model: (eb) => eb.ref('excluded.model') }),
      )
      .returning(['refusals', 'gone_since'])
      .executeTakeFirstOrThrow();
    return { refusals: refusals.map(({ userId, at }) => ({ userId, at: new Date(at) })), goneSince: gone_since };
  }

  async save(
    { model, modelRevision, target }: DoubtedModel,
    { refusals, goneSince }: VendorDoubt,
    at: Date,
  ): Promise<number> {
    const { id } = await this.#kysely
      .updateTable('vendor_doubts')
      .set({ refusals: sql`${JSON.stringify(refusals)}::jsonb`, gone_since: goneSince, changed_at: at })
      .where((eb) => eb.and({ model, revision: modelRevision ?? OF_FILE, target }))
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.#kysely
      .deleteFrom('vendor_doubts')
      .where('gone_since', 'is', null)
      .where('changed_at', '<', new Date(at.getTime() - FORGOTTEN_AFTER_MS))
      .execute();
    return id;
  }

  async clear({ model, modelRevision }: ModelReference): Promise<boolean> {
    const cleared = await this.#kysely
      .deleteFrom('vendor_doubts')
      .where((eb) => eb.and({ model, revision: modelRevision ?? OF_FILE }))
      .returning('gone_since')
      .execute();
    return cleared.some(({ gone_since }) => gone_since !== null);
  }

  async announce(): Promise<void> {
    await this.#kysely
      .updateTable('catalogue')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .execute();
  }

  get #kysely() {
    return this.database.kysely;
  }
}

/** The revisions that are gone. */
export async function goneModels({ kysely }: Database): Promise<readonly GoneModel[]> {
  const rows = await kysely
    .selectFrom('vendor_doubts')
    .select(['model', 'revision', 'target', 'gone_since'])
    .where('gone_since', 'is not', null)
    .execute();
  return rows.map(({ model, revision, target, gone_since }) => {
    return { model, modelRevision: revision === OF_FILE ? null : revision, target, since: gone_since! };
  });
}
