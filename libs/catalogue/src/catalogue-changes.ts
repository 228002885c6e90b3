import type { AuditLog } from '#audit-log';
import { DomainError, notFound, type Clock, type Sealer, type UnitOfWork } from '#kernel';
import {
  keyEndOf,
  providerKeyContext,
  requireKeyForUrl,
  requireRevision,
  requireUnused,
  type AddedModel,
  type AddedProvider,
  type ProviderFields,
} from './domain/catalogue-entries.ts';
import type { JsonObject } from './domain/json.ts';
import type { Model } from './domain/model.ts';
import { problemsOfNames, problemsOfSuccessor, type NamedModel } from './domain/model-names.ts';
import type { CatalogueRules, CatalogueStore, EntryProblems, KnownProvider } from './ports.ts';

/** Base of an entry: the revision that its author has read; `null` for a new entry, `undefined` for any. */
interface Based {
  readonly revision: number | null | undefined;
}

export interface ProviderChange extends ProviderFields, Based {
  /** The new key; `null` for no key, `undefined` to keep the current one. */
  readonly key: string | null | undefined;
}

export interface ModelChange extends Based {
  /** As in a catalogue file, without its id. */
  readonly entry: JsonObject;
  readonly isOffered: boolean;
}

interface Collaborators {
  readonly store: CatalogueStore;
  readonly rules: CatalogueRules;
  /** The ids that the file and the environment define: operators can't change them here. */
  readonly fixed: { readonly providers: readonly KnownProvider[]; readonly models: readonly NamedModel[] };
  readonly sealer: Sealer;
  readonly auditLog: Pick<AuditLog, 'record'>;
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/** Changes of the catalogue by operators. Each is recorded in the audit log of the service. */
export class CatalogueChanges {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Adds or changes a provider.
   *
   * @throws DomainError `validation_failed`; `conflict` for an id of the file, for another revision than the current one;
   * `unavailable` when there is a key and no SECRET_KEY
   */
  saveProvider(id: string, { revision, key, ...fields }: ProviderChange): Promise<AddedProvider> {
    const { store, rules, fixed, sealer, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      requireOwn('provider', id, fixed.providers);
      const { providers, models } = await store.lock();
      const current = providers.find((provider) => provider.id === id) ?? null;
      requireRevision(current?.revision ?? null, revision);
      requireKeyForUrl(current, fields, key);
      const kept = key === undefined ? current : null;
      const problems = rules.problemsOfProvider(id, fields, Boolean(key ?? kept?.key));
      if (Object.keys(problems).length > 0) throw invalid(problems);
      if (current && current.type !== fields.type) requireUnused(usersOf(id, models), await store.openGenerations(id));
      const saved: AddedProvider = {
        ...fields,
        id,
        revision: (current?.revision ?? 0) + 1,
        key: key ? sealer.seal(Buffer.from(key), providerKeyContext(id)) : (kept?.key ?? null),
        keyEnd: key ? keyEndOf(key) : (kept?.keyEnd ?? null),
      };
      const target = await store.saveProvider(saved, clock.now());
      const urls = { base_url: fields.baseUrl, ...(fields.baseUrls && { base_urls: fields.baseUrls }) };
      const details = { id, revision: saved.revision, ...urls, key_changed: key !== undefined };
      await this.#record({ action: 'provider.save', target, details });
      return saved;
    });
  }

  /** @throws DomainError `not_found`; `conflict` while models or open generations use it, or for another revision */
  deleteProvider(id: string, revision?: number): Promise<void> {
    const { store, fixed, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      requireOwn('provider', id, fixed.providers);
      const { providers, models } = await store.lock();
      const current = providers.find((provider) => provider.id === id);
      if (!current) throw notFound('provider');
      requireRevision(current.revision, revision);
      requireUnused(usersOf(id, models), await store.openGenerations(id));
      await this.#record({ action: 'provider.delete', target: await store.deleteProvider(id), details: { id } });
    });
  }

  /**
   * Adds or changes a model. Generations that were accepted with the revision before keep it.
   *
   * @throws DomainError `validation_failed` with the fields of the entry; `conflict` for an id of the file, for another
   * revision than the current one
   */
  saveModel(id: string, { revision, entry, isOffered }: ModelChange): Promise<AddedModel> {
    const { store, fixed, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      requireOwn('model', id, fixed.models);
      const { providers, models } = await store.lock();
      requireRevision(models.find((model) => model.id === id)?.revision ?? null, revision);
      this.#modelOf(id, entry, providers, models);
      const saved: AddedModel = { id, revision: (await store.lastRevision(id)) + 1, entry, isOffered };
      const target = await store.saveModel(saved, clock.now());
      const details = { id, revision: saved.revision, offered: isOffered };
      await this.#record({ action: 'model.save', target, details });
      return saved;
    });
  }

  /** The model of an entry, without saving it. @throws DomainError `validation_failed` with the fields of the entry */
  async checkModel(id: string, entry: JsonObject): Promise<Model> {
    const { providers, models } = await this.deps.store.read();
    return this.#modelOf(id, entry, providers, models);
  }

  /** @throws DomainError `not_found`; `conflict` for another revision than the current one */
  deleteModel(id: string, revision?: number): Promise<void> {
    const { store, fixed, unitOfWork, clock } = this.deps;
    return unitOfWork.run(async () => {
      requireOwn('model', id, fixed.models);
      const { models } = await store.lock();
      const current = models.find((model) => model.id === id);
      if (!current) throw notFound('model');
      requireRevision(current.revision, revision);
      const target = await store.deleteModel(id, clock.now());
      await this.#record({ action: 'model.delete', target, details: { id } });
    });
  }

  #modelOf(id: string, entry: JsonObject, providers: readonly KnownProvider[], models: readonly AddedModel[]): Model {
    const { fixed, rules } = this.deps;
    const read = rules.readModel(id, entry, [...fixed.providers, ...providers]);
    if ('problems' in read) throw invalid(read.problems);
    const others = [...fixed.models, ...models.map(namesIn)];
    const problems = { ...problemsOfNames(read.model, others), ...problemsOfSuccessor(read.model, others) };
    if (Object.keys(problems).length > 0) throw invalid(problems);
    return read.model;
  }

  #record(entry: Parameters<AuditLog['record']>[0]): Promise<void> {
    return this.deps.auditLog.record({ ...entry, workspaceId: null });
  }
}

/** The ids of the models that name a provider. */
function usersOf(providerId: string, models: readonly AddedModel[]): readonly string[] {
  return models.filter(({ entry }) => entry['provider'] === providerId).map(({ id }) => id);
}

/** The names in a saved entry, which has been checked. */
function namesIn({ id, entry }: AddedModel): NamedModel {
  const { aliases = [], kind } = entry as Partial<NamedModel>;
  return { id, aliases, kind };
}

/** @throws DomainError `conflict` */
function requireOwn(what: string, id: string, fixed: readonly { readonly id: string }[]): void {
  if (fixed.some((entry) => entry.id === id)) {
    throw new DomainError(
      'conflict',
      `the ${what} ${id} is defined by the catalogue file or a setting: change it there`,
    );
  }
}

function invalid(problems: EntryProblems): DomainError {
  const [field, [problem]] = Object.entries(problems)[0]!;
  return new DomainError('validation_failed', `${field || 'the entry'} ${problem}`, { fields: problems });
}
