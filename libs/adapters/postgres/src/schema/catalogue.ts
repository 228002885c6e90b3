import { p } from '@mikro-orm/postgresql';
import type { JsonObject, ParameterValues } from '#catalogue';
import { TRIAL_STATES, type GenerationError, type InputSet, type TrialOutput, type VendorHandle } from '#generation';
import type { Sealed } from '#kernel';
import { id, table, time } from './columns.ts';

/** One row. Its lock makes changes of the catalogue wait for each other. */
export const CatalogueVersion = table('CatalogueVersion', 'catalogue', {
  isOnly: p.boolean().primary().defaultRaw('true'),
  version: p.bigint('number').defaultRaw('0'),
});

export const CatalogueProvider = table('CatalogueProvider', 'catalogue_providers', {
  id: id(),
  name: p.text(),
  revision: p.integer(),
  type: p.text(),
  baseUrl: p.text().nullable(),
  /** Null for one server. The first is `baseUrl`, which the previous version reads. */
  baseUrls: p.array().$type<readonly string[]>().nullable(),
  key: p.text().$type<Sealed>().nullable(),
  keyEnd: p.text().nullable(),
  maxConcurrent: p.integer(),
  submissionsPerMinute: p.integer().nullable(),
  changedAt: time(),
});

export const PausedProvider = table('PausedProvider', 'paused_providers', {
  provider: p.text().primary(),
  since: time(),
});

/** A row for each stored revision. */
export const CatalogueModel = table('CatalogueModel', 'catalogue_models', {
  id: id(),
  name: p.text(),
  revision: p.integer(),
  entry: p.json<JsonObject>(),
  isOffered: p.boolean(),
  addedAt: time(),
  /** Null for the current revision. */
  replacedAt: time().nullable(),
});

/** The refusals of a revision of a model that its vendor says it does not have. */
export const VendorDoubtRow = table('VendorDoubtRow', 'vendor_doubts', {
  id: id(),
  model: p.text(),
  /** 0 for a model of the file. */
  revision: p.integer(),
  target: p.text(),
  refusals: p.json<readonly { readonly userId: number; readonly at: string }[]>(),
  /** Null while the model counts as there. */
  goneSince: time().nullable(),
  changedAt: time(),
});

/** Trials of models by operators. The columns that a state does not have are null. */
export const TrialRow = table('TrialRow', 'trials', {
  id: id(),
  model: p.text(),
  modelRevision: p.integer().nullable(),
  /** An entry that is not saved. */
  entry: p.json<JsonObject>().nullable(),
  prompt: p.text().nullable(),
  parameters: p.json<ParameterValues>(),
  /** URLs, and pictures as data URLs. */
  inputs: p.json<InputSet<string>>(),
  requestKey: p.uuid(),
  credits: p.integer(),
  state: p.enum(TRIAL_STATES),
  handle: p.json<VendorHandle>().nullable(),
  outputs: p.json<readonly TrialOutput[]>().nullable(),
  /** In the vendor's currency. */
  vendorCost: p.double().$type<number>().nullable(),
  error: p.json<GenerationError>().nullable(),
  createdAt: time(),
  startedAt: time().nullable(),
  finishedAt: time().nullable(),
});
