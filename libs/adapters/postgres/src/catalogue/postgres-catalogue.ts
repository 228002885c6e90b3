import { sql } from 'kysely';
import {
  providerKeyContext,
  type AddedEntries,
  type AddedModel,
  type AddedProvider,
  type CatalogueStore,
  type JsonObject,
} from '#catalogue';
import type { Sealed, SealedSecret, SealedSecrets } from '#kernel';
import type { Database } from '../database.ts';
import { CatalogueProvider } from '../schema.ts';
import { goneModels } from './vendor-doubts.ts';

/** Replaced revisions are stored for a week: programs of other versions may still read them. */
const REPLACED_DAYS = 7;

export class PostgresCatalogue implements CatalogueStore {
  constructor(private readonly database: Database) {}

  async version(): Promise<number> {
    return (await this.#kysely.selectFrom('catalogue').select('version').executeTakeFirstOrThrow()).version;
  }

  read(): Promise<AddedEntries> {
    return this.database.transaction(async () => {
      // The lock keeps the entries from changing between the statements.
      const { version } = await this.#kysely
        .selectFrom('catalogue')
        .select('version')
        .forShare()
        .executeTakeFirstOrThrow();
      return { version, ...(await this.#entries()) };
    });
  }

  async lock(): Promise<AddedEntries> {
    const { version } = await this.#kysely
      .updateTable('catalogue')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .returning('version')
      .executeTakeFirstOrThrow();
    return { version, ...(await this.#entries()) };
  }

  async revisionOf(id: string, revision: number): Promise<AddedModel | null> {
    return (await this.#models().where('revision', '=', revision).where('name', '=', id).executeTakeFirst()) ?? null;
  }

  async lastRevision(id: string): Promise<number> {
    const { last } = await this.#kysely
      .selectFrom('catalogue_models')
      .select((eb) => eb.fn.max('revision').as('last'))
      .where('name', '=', id)
      .executeTakeFirstOrThrow();
    return last ?? 0;
  }

  async openGenerations(providerId: string): Promise<number> {
    const submitted = this.#kysely
      .selectFrom('submissions')
      .select('generation_id as id')
      .where('provider', '=', providerId)
      .where('state', 'in', ['intended', 'unknown', 'submitted', 'canceling']);
    const accepted = this.#kysely
      .selectFrom('generations')
      .innerJoin('catalogue_models', (join) =>
        join
          .onRef('catalogue_models.name', '=', 'generations.model')
          .onRef('catalogue_models.revision', '=', 'generations.model_revision'),
      )
      .select('generations.id')
      .where('generations.state', 'in', ['queued', 'running'])
      .where(sql<string>`catalogue_models.entry ->> 'provider'`, '=', providerId);
    const { open } = await this.#kysely
      .selectFrom(submitted.union(accepted).as('open'))
      .select((eb) => eb.fn.countAll<string>().as('open'))
      .executeTakeFirstOrThrow();
    return Number(open);
  }

  async saveProvider({ id: name, ...provider }: AddedProvider, at: Date): Promise<number> {
    const row = { ...provider, name, changedAt: at };
    const { id } = await this.database.em.upsert(CatalogueProvider, row, { onConflictFields: ['name'] });
    return id;
  }

  async deleteProvider(id: string): Promise<number> {
    const deleted = await this.#kysely
      .deleteFrom('catalogue_providers')
      .where('name', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow();
    return deleted.id;
  }

  async saveModel({ id: name, revision, entry, isOffered }: AddedModel, at: Date): Promise<number> {
    await this.#replace(name, at);
    const added = await this.#kysely
      .insertInto('catalogue_models')
      .values({
        name,
        revision,
        entry: sql<JsonObject>`${JSON.stringify(entry)}::jsonb`,
        is_offered: isOffered,
        added_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.#prune(at);
    return added.id;
  }

  async deleteModel(id: string, at: Date): Promise<number> {
    const replaced = await this.#replace(id, at);
    await this.#prune(at);
    return replaced!.id;
  }

  /** Refusals of the current revision do not count for the next one. */
  async #replace(name: string, at: Date) {
    await this.#kysely.deleteFrom('vendor_doubts').where('model', '=', name).execute();
    return this.#kysely
      .updateTable('catalogue_models')
      .set({ replaced_at: at })
      .where('name', '=', name)
      .where('replaced_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
  }

  /** A replaced revision is stored while an open generation names it. */
  async #prune(at: Date): Promise<void> {
    await this.#kysely
      .deleteFrom('catalogue_models as model')
      .where('replaced_at', '<', new Date(at.getTime() - REPLACED_DAYS * 86_400_000))
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('generations')
              .whereRef('generations.model', '=', 'model.name')
              .whereRef('generations.model_revision', '=', 'model.revision')
              .where('generations.state', 'in', ['queued', 'running']),
          ),
        ),
      )
      .execute();
  }

  async #entries(): Promise<Omit<AddedEntries, 'version'>> {
    const providers = await this.#kysely
      .selectFrom('catalogue_providers')
      .select(['name as id', 'revision', 'type', 'base_url as baseUrl', 'base_urls as baseUrls', 'key'])
      .select([
        'key_end as keyEnd',
        'max_concurrent as maxConcurrent',
        'submissions_per_minute as submissionsPerMinute',
      ])
      .orderBy('name')
      .execute();
    const models = await this.#models().where('replaced_at', 'is', null).orderBy('name').execute();
    return { providers, models, gone: await goneModels(this.database) };
  }

  #models() {
    return this.#kysely
      .selectFrom('catalogue_models')
      .select(['name as id', 'revision', 'entry', 'is_offered as isOffered']);
  }

  get #kysely() {
    return this.database.kysely;
  }
}

/** The keys of providers, for the rotation of the key of the installation. */
export class ProviderKeys implements SealedSecrets {
  constructor(private readonly database: Database) {}

  async list(after: number, limit: number): Promise<readonly SealedSecret[]> {
    const rows = await this.database.kysely
      .selectFrom('catalogue_providers')
      .select(['id', 'name', 'key'])
      .where('id', '>', after)
      .where('key', 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id, name, key }) => ({ id, sealed: key!, context: providerKeyContext(name) }));
  }

  /** Processes read the key again, as they may no longer know the previous key of the installation. */
  replace({ id, sealed }: SealedSecret, by: Sealed): Promise<boolean> {
    return this.database.transaction(async () => {
      const { em, kysely } = this.database;
      if ((await em.nativeUpdate(CatalogueProvider, { id, key: sealed }, { key: by })) !== 1) return false;
      await kysely
        .updateTable('catalogue')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .execute();
      return true;
    });
  }
}
