import type { AddedModel, AddedProvider, ProviderFields } from './domain/catalogue-entries.ts';
import type { VendorDoubt } from './domain/gone-model.ts';
import type { JsonObject } from './domain/json.ts';
import type { Model, ModelReference } from './domain/model.ts';
import type { ParameterProblems, ParameterValues } from './domain/parameters.ts';

/** The entries that operators have added to the catalogue. */
export interface AddedEntries {
  /** Grows with each change. */
  readonly version: number;
  readonly providers: readonly AddedProvider[];
  /** The current revision of each model. */
  readonly models: readonly AddedModel[];
  /** The revisions that their vendors no longer have. */
  readonly gone: readonly GoneModel[];
}

/** A revision of an entry, with its target: an entry of the file has no revision. */
export type DoubtedModel = ModelReference & Pick<Model, 'target'>;

export interface GoneModel extends DoubtedModel {
  readonly since: Date;
}

/** Refusals of models of the catalogue that their vendors say they do not have. */
export interface VendorDoubts {
  /** Until the end of the unit of work nobody else changes it. */
  lock(model: DoubtedModel): Promise<VendorDoubt>;

  /** @returns the number that identifies it in the audit log */
  save(model: DoubtedModel, doubt: VendorDoubt, at: Date): Promise<number>;

  /** Forgets what the vendor said of a revision. @returns whether the model was gone */
  clear(model: ModelReference): Promise<boolean>;

  /** Lets every process read the marks again. */
  announce(): Promise<void>;
}

/** Finds the workspaces that use a model. */
export interface ModelUsers {
  /**
   * The workspaces that have a preset of one of the names, or have called one in the last 30 days, in the order of their
   * ids.
   */
  workspacesUsing(names: readonly string[], now: Date): Promise<readonly number[]>;
}

/** The providers that a process does not call for now, as their calls have failed. */
export interface PausedProviders {
  /** @returns false for a provider that is paused already */
  pause(id: string, since: Date): Promise<boolean>;

  resume(id: string): Promise<void>;
}

/** Finds whom news about the service are for. */
export interface OperatorWorkspaces {
  /** The workspaces that operators own or administer, in the order of their ids. */
  workspacesOfOperators(): Promise<readonly number[]>;
}

/** Entries of the catalogue that operators add while the service runs. */
export interface CatalogueStore {
  /** The current version, by a brief read. */
  version(): Promise<number>;

  /** All entries, of one version. */
  read(): Promise<AddedEntries>;

  /** Like `read`, in the surrounding unit of work, which is the only one that changes entries until it ends. */
  lock(): Promise<AddedEntries>;

  /** A revision of a model, replaced ones included; `null` when it is no longer stored. */
  revisionOf(id: string, revision: number): Promise<AddedModel | null>;

  /** The highest stored revision of a model, replaced and deleted ones included; 0 without any. */
  lastRevision(id: string): Promise<number>;

  /** The number of generations that were accepted with the provider and have not ended, or whose job is open there. */
  openGenerations(providerId: string): Promise<number>;

  /** Adds or replaces a provider. @returns the number that identifies it in the audit log */
  saveProvider(provider: AddedProvider, at: Date): Promise<number>;

  /** @returns the number that identifies it in the audit log */
  deleteProvider(id: string): Promise<number>;

  /**
   * Adds a revision of a model, which replaces the current one. A replaced revision is stored while an open generation
   * names it, and for a week.
   *
   * @returns the number that identifies the revision in the audit log
   */
  saveModel(model: AddedModel, at: Date): Promise<number>;

  /** @returns the number that identifies the last revision in the audit log */
  deleteModel(id: string, at: Date): Promise<number>;
}

/** A provider as entries of models refer to it. */
export type KnownProvider = Pick<AddedProvider, 'id' | 'type'>;

/** The settings of a provider in the catalogue. */
export interface ProviderSettings extends ProviderFields {
  readonly id: string;
  /** The secret key itself. */
  readonly key: string | null;
}

/** Messages by the path of the field, such as `cost.per`; the empty path stands for the whole entry. */
export type EntryProblems = Readonly<Record<string, readonly string[]>>;

/** The rules of a catalogue file, for entries that operators add. */
export interface CatalogueRules {
  /** The problems of a provider; none when there is no entry in the result. */
  problemsOfProvider(id: string, fields: ProviderFields, hasKey: boolean): EntryProblems;

  /** The model of an entry, or its problems. */
  readModel(
    id: string,
    entry: JsonObject,
    providers: readonly KnownProvider[],
  ): { readonly model: Model } | { readonly problems: EntryProblems };
}

/** Checks parameters by the JSON Schemas that a model declares. */
export interface ParameterCheck {
  /** The problems of parameter values, by name. Each message follows the name. Empty when all values are valid. */
  problemsOf(model: Model, values: ParameterValues): ParameterProblems;
}
