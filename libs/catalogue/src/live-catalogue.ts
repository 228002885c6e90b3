import { DomainError, notFound, type Sealer } from '#kernel';
import { providerKeyContext, type AddedModel, type AddedProvider } from './domain/catalogue-entries.ts';
import { problemsOfNames } from './domain/model-names.ts';
import { ModelCatalog, type Model, type ModelReference, type Models } from './domain/model.ts';
import type { CatalogueRules, CatalogueStore, EntryProblems, GoneModel, ProviderSettings } from './ports.ts';

/** A catalogue: providers and models. */
export interface Catalogue {
  readonly providers: readonly ProviderSettings[];
  readonly models: readonly Model[];
}

/** A provider that operators have added, as this process uses it. */
export interface FollowedProvider {
  readonly added: AddedProvider;
  /** Why it can't be used; `null` for a usable provider. */
  readonly problem: string | null;
}

/** A model that operators have added, as this process uses it. */
export interface FollowedModel {
  readonly added: AddedModel;
  /** `null` for an entry that is no longer valid. */
  readonly model: Model | null;
  readonly problems: EntryProblems;
}

interface Snapshot {
  readonly version: number;
  readonly catalogue: ModelCatalog;
  readonly settings: readonly ProviderSettings[];
  readonly providers: readonly FollowedProvider[];
  readonly models: readonly FollowedModel[];
}

interface Collaborators {
  /** Entries of the file, the environment and this machine; they win over added entries with the same id. */
  readonly fixed: Catalogue;
  readonly store: Pick<CatalogueStore, 'version' | 'read' | 'revisionOf'>;
  readonly rules: CatalogueRules;
  readonly sealer: Pick<Sealer, 'open'>;
  /** Reports whether a model can run now: a local model may not be supported on this machine. */
  readonly isAvailable: (model: Model) => boolean;
  /** Opens a provider, in place of an open one with the same id. */
  readonly openProvider: (settings: ProviderSettings) => Promise<void>;
  readonly closeProvider: (id: string) => void;
  readonly warn: (message: string) => void;
}

/**
 * The catalogue of this process: the fixed entries, and the entries that operators have added, which it follows. An
 * entry that can't be used harms no other entry.
 */
export class LiveCatalogue implements Models {
  /** The settings of the open providers, as text. */
  readonly #opened = new Map<string, string>();
  #now: Snapshot;

  constructor(private readonly deps: Collaborators) {
    this.#now = this.#snapshotOf({ version: 0, providers: [], models: [], gone: [] });
  }

  get all(): readonly Model[] {
    return this.#now.catalogue.all;
  }

  get gone(): ReadonlyMap<string, Date> {
    return this.#now.catalogue.gone;
  }

  get providers(): readonly FollowedProvider[] {
    return this.#now.providers;
  }

  get models(): readonly FollowedModel[] {
    return this.#now.models;
  }

  /** All models and usable providers. */
  get entries(): Catalogue {
    return { providers: this.#now.settings, models: this.#now.catalogue.entries };
  }

  /**
   * A model of the catalogue, also one that callers are not offered.
   *
   * @throws DomainError `not_found`; `conflict` for an entry that is no longer valid
   */
  find(id: string): Model {
    const fixed = this.deps.fixed.models.find((model) => model.id === id);
    if (fixed) return fixed;
    const followed = this.#now.models.find(({ added }) => added.id === id);
    if (!followed) throw notFound('model');
    if (followed.model) return followed.model;
    const [field, [problem]] = Object.entries(followed.problems)[0]!;
    throw new DomainError('conflict', `the entry of ${id} is no longer valid: ${field} ${problem}`);
  }

  async acceptedAs({ model: id, modelRevision: revision }: ModelReference): Promise<Model | null> {
    if (revision === null) return this.deps.fixed.models.find((model) => model.id === id) ?? null;
    const current = this.#now.models.find(({ added }) => added.id === id && added.revision === revision);
    if (current?.model) return current.model;
    const stored = current?.added ?? (await this.deps.store.revisionOf(id, revision));
    return stored && this.#follow(stored, this.#now.settings).model;
  }

  /** Opens the providers of the file and the environment. `refresh` opens the added ones. */
  open(): Promise<void> {
    return this.#openProviders(this.#now.settings);
  }

  /** Reads the added entries again if they have changed. */
  async refresh(): Promise<void> {
    if ((await this.deps.store.version()) === this.#now.version) return;
    const next = this.#snapshotOf(await this.deps.store.read());
    await this.#openProviders(next.settings);
    this.#now = next;
  }

  #snapshotOf(added: Awaited<ReturnType<CatalogueStore['read']>>): Snapshot {
    const { fixed, isAvailable, warn } = this.deps;
    const own = added.providers.filter(({ id }) => !has(fixed.providers, id));
    const opened = own.map((each) => ({ added: each, ...this.#settingsOf(each) }));
    const settings = [...fixed.providers, ...opened.flatMap((each) => each.settings ?? [])];
    const models = this.#followAll(added.models, settings);
    for (const { added: each, problem } of opened) {
      if (problem !== null) warn(`the provider ${each.id} can't be used: ${problem}`);
    }
    for (const { added: each, problems } of models) {
      for (const [field, [problem]] of Object.entries(problems)) warn(`the model ${each.id}: ${field} ${problem}`);
    }
    const offered = models.flatMap(({ added: { isOffered }, model }) => (isOffered && model ? [model] : []));
    const all = [...fixed.models, ...models.flatMap(({ model }) => model ?? [])];
    return {
      version: added.version,
      catalogue: new ModelCatalog([...fixed.models, ...offered], isAvailable, goneAmong(all, added.gone)),
      settings,
      providers: opened.map(({ added: each, problem }) => ({ added: each, problem })),
      models,
    };
  }

  /** An entry whose name another entry has can't be used: the file comes first, then the entries in their order. */
  #followAll(added: readonly AddedModel[], settings: readonly ProviderSettings[]): readonly FollowedModel[] {
    const { models: fixed } = this.deps.fixed;
    const named = [...fixed];
    return added.flatMap((each) => {
      if (has(fixed, each.id)) return [];
      const followed = this.#follow(each, settings);
      if (!followed.model) return [followed];
      const problems = problemsOfNames(followed.model, named);
      if (Object.keys(problems).length > 0) return [{ added: each, model: null, problems }];
      named.push(followed.model);
      return [followed];
    });
  }

  #follow(added: AddedModel, settings: readonly ProviderSettings[]): FollowedModel {
    const read = this.deps.rules.readModel(added.id, added.entry, settings);
    if ('problems' in read) return { added, model: null, problems: read.problems };
    return { added, model: { ...read.model, revision: added.revision }, problems: {} };
  }

  #settingsOf({ key, keyEnd: _, revision: __, ...fields }: AddedProvider): {
    readonly settings: ProviderSettings | null;
    readonly problem: string | null;
  } {
    try {
      const opened = key && Buffer.from(this.deps.sealer.open(key, providerKeyContext(fields.id))).toString();
      return { settings: { ...fields, key: opened }, problem: null };
    } catch (error) {
      if (error instanceof DomainError) return { settings: null, problem: error.message };
      throw error;
    }
  }

  /** Opens new and changed providers, and closes the others. */
  async #openProviders(wanted: readonly ProviderSettings[]): Promise<void> {
    for (const settings of wanted) {
      const text = JSON.stringify(settings);
      if (this.#opened.get(settings.id) === text) continue;
      await this.deps.openProvider(settings);
      this.#opened.set(settings.id, text);
    }
    for (const id of this.#opened.keys()) {
      if (has(wanted, id)) continue;
      this.deps.closeProvider(id);
      this.#opened.delete(id);
    }
  }
}

/** A mark is about one revision, and for an entry of the file about one target. */
function goneAmong(models: readonly Model[], gone: readonly GoneModel[]): ReadonlyMap<string, Date> {
  return new Map(
    gone.flatMap(({ model: id, modelRevision, target, since }) => {
      const isCurrent = (model: Model) =>
        model.id === id && model.revision === modelRevision && model.target === target;
      return models.some(isCurrent) ? [[id, since] as const] : [];
    }),
  );
}

function has(entries: readonly { readonly id: string }[], id: string): boolean {
  return entries.some((entry) => entry.id === id);
}
