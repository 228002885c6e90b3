import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import {
  INPUT_NAMES,
  type Cost,
  type JsonObject,
  type KnownProvider,
  type Model,
  type ModelInputs,
  type Need,
  type ProviderSettings,
} from '#catalogue';
import type { CostEntry, InputsEntry, ModelEntry, ProviderEntry } from './catalogue-schema.ts';
import { CatalogError, readText } from './document.ts';
import type { Report } from './model-rules.ts';

type Env = Readonly<Record<string, string | undefined>>;

export const LOCAL = 'local';
/** The type of providers whose targets are workflow files. */
const COMFYUI = 'comfyui';
/** The limits of a provider that sets none. */
export const DEFAULT_LIMITS = { maxConcurrent: 4, submissionsPerMinute: null };
const DEFAULT_TIME_LIMIT_SECONDS = 600;
const MAX_REFERENCES = 6;
const MAX_PICTURES = 20;

/** The context of entries. */
export interface Known {
  /** The catalogue file, beside which workflow files are; `null` for entries that operators add. */
  readonly file: string | null;
  readonly types: readonly string[];
  readonly local: readonly Model[];
  readonly providers: ReadonlyMap<string, KnownProvider>;
}

/** Reads a provider of the file from an entry that fits the schema, and reports further problems. */
export function providerOf(
  entry: ProviderEntry,
  { env, types }: { readonly env: Env; readonly types: readonly string[] },
  report: Report,
): ProviderSettings {
  const { id, type, base_urls: baseUrls = null, key: variable } = entry;
  providerProblems({ ...entry, hasKey: variable !== undefined }, types, report);
  const key = variable === undefined ? null : valueOf(env, variable);
  // The message omits the name: it may be a key by mistake.
  if (variable !== undefined && key === null) report(['key'], 'must be the name of a variable that is set');
  return {
    id,
    type,
    baseUrl: entry.base_url ?? baseUrls?.[0] ?? null,
    baseUrls,
    key,
    maxConcurrent: entry.max_concurrent ?? DEFAULT_LIMITS.maxConcurrent,
    submissionsPerMinute: entry.submissions_per_minute ?? DEFAULT_LIMITS.submissionsPerMinute,
  };
}

/** Reports the problems of a provider whose entry fits the schema. */
export function providerProblems(
  { id, type, base_url: baseUrl, base_urls: baseUrls, hasKey }: ProviderFacts,
  types: readonly string[],
  report: Report,
): void {
  if (id === LOCAL) report(['id'], 'must not be local, the provider of the local models');
  if (!types.includes(type)) report(['type'], `must be one of ${types.join(', ')}`);
  if (baseUrl !== undefined && !isPlainUrl(baseUrl)) report(['base_url'], NOT_PLAIN);
  if (baseUrls && baseUrl !== undefined) report(['base_urls'], 'must be absent when there is a base_url');
  if (baseUrls && type !== COMFYUI) report(['base_urls'], `is for the type ${COMFYUI}`);
  for (const [index, url] of baseUrls?.entries() ?? []) {
    if (!isPlainUrl(url)) report(['base_urls', String(index)], NOT_PLAIN);
  }
  if (!hasKey && baseUrl === undefined && !baseUrls) report(['key'], 'is missing, and so is base_url');
}

const NOT_PLAIN = 'must be an http or https URL without a password';

interface ProviderFacts extends Pick<ProviderEntry, 'id' | 'type' | 'base_url' | 'base_urls'> {
  readonly hasKey: boolean;
}

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  return !!url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

function valueOf(env: Env, variable: string): string | null {
  return (Object.hasOwn(env, variable) && env[variable]?.trim()) || null;
}

/** Reads a model from an entry that fits the schema. `null` when its target is invalid, which is reported. */
export function modelOf(entry: ModelEntry, known: Known, report: Report): Model | null {
  return entry.provider === LOCAL ? localModel(entry, known, report) : remoteModel(entry, known, report);
}

function localModel(entry: ModelEntry, { local }: Known, report: Report): Model | null {
  const original = local.find(({ target }) => target === entry.target);
  if (!original) {
    report(['target'], `must be one of ${local.map(({ target }) => target).join(', ')}`);
    return null;
  }
  if (entry.kind && entry.kind !== original.kind)
    report(['kind'], `must be ${original.kind}, the kind of ${entry.target}`);
  return {
    ...original,
    id: entry.id,
    title: entry.title ?? original.title,
    description: entry.description?.trim() || original.description,
    tasks: entry.tasks ?? original.tasks,
    family: entry.family ?? original.family,
    cost: costOf(entry.cost),
    timeLimitSeconds: entry.time_limit ?? original.timeLimitSeconds,
    ...lifeOf(entry, report),
  };
}

function remoteModel(entry: ModelEntry, known: Known, report: Report): Model | null {
  const provider = known.providers.get(entry.provider);
  if (!provider) reportProvider(known, report);
  const { references, max_references: maxReferences } = entry.inputs ?? {};
  if (maxReferences !== undefined && (references ?? 'none') === 'none') {
    report(['inputs', 'max_references'], 'needs references to be optional or required');
  }
  const isWorkflow = provider?.type === COMFYUI;
  const workflow = isWorkflow ? (entry.workflow ?? workflowOf(entry.target, known.file, report)) : null;
  if (!isWorkflow && entry.workflow) report(['workflow'], 'is for models of ComfyUI only');
  if (isWorkflow && !workflow) return null;
  return {
    id: entry.id,
    revision: null,
    title: entry.title ?? entry.id,
    description: entry.description?.trim() || null,
    kind: entry.kind!,
    tasks: entry.tasks ?? [],
    family: entry.family ?? null,
    provider: entry.provider,
    target: entry.target,
    workflow,
    inputs: inputsOf(entry.inputs),
    parameters: entry.parameters ?? {},
    mapping: entry.mapping!,
    result: entry.result ?? null,
    cost: costOf(entry.cost),
    timeLimitSeconds: entry.time_limit ?? DEFAULT_TIME_LIMIT_SECONDS,
    ...lifeOf(entry, report),
  };
}

function lifeOf({ retires_at: end, successor, aliases = [] }: ModelEntry, report: Report) {
  const retiresAt = end === undefined ? null : new Date(end);
  // 30 February would be a day of March.
  const isTime =
    retiresAt === null || (!Number.isNaN(+retiresAt) && end!.startsWith(retiresAt.toISOString().slice(0, 10)));
  if (!isTime) report(['retires_at'], 'must be a time that exists');
  return { retiresAt: isTime ? retiresAt : null, successor: successor ?? null, aliases };
}

function reportProvider({ providers }: Known, report: Report): void {
  const ids = [LOCAL, ...providers.keys()].join(', ');
  report(['provider'], `must be one of ${ids}: add it to providers, or set the variable with its key`);
}

function inputsOf(entry: InputsEntry = {}): ModelInputs {
  const needs = Object.fromEntries(INPUT_NAMES.map((name) => [name, entry[name] ?? 'none']));
  return {
    ...(needs as Record<(typeof INPUT_NAMES)[number], Need>),
    styleWeights: entry.style_weights ?? 'none',
    maxReferences: entry.max_references ?? MAX_REFERENCES,
    minPictures: entry.min_pictures ?? 1,
    maxPictures: entry.max_pictures ?? MAX_PICTURES,
  };
}

function costOf(entry: CostEntry): Cost {
  if (typeof entry === 'number') return { credits: entry, parameter: null, per: 'output' };
  return { credits: entry.credits, parameter: entry.parameter ?? null, per: entry.per ?? 'output' };
}

function workflowOf(target: string, catalogue: string | null, report: Report): JsonObject | null {
  if (catalogue === null) {
    report(['workflow'], 'is missing');
    return null;
  }
  const path = normalize(target);
  if (isAbsolute(path) || path.split('/')[0] === '..') {
    report(['target'], 'must be a file beside the catalogue');
    return null;
  }
  try {
    const workflow = JSON.parse(readText(join(dirname(catalogue), path))) as unknown;
    if (isWorkflow(workflow)) return workflow;
    report(['target'], 'must be a workflow in API format: an object of nodes with class_type and inputs');
  } catch (error) {
    const why = error instanceof CatalogError ? error.message : `${basename(path)}: is not JSON`;
    report(['target'], `must be a workflow file beside the catalogue (${why})`);
  }
  return null;
}

function isWorkflow(value: unknown): value is JsonObject {
  if (!isObject(value) || Object.keys(value).length === 0) return false;
  return Object.values(value).every(
    (node) => isObject(node) && typeof node['class_type'] === 'string' && isObject(node['inputs']),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
