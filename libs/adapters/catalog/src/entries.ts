import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import type { Cost, JsonObject, Model, ModelInputs, ProviderSettings } from '#generation';
import type { CostEntry, InputsEntry, ModelEntry, ProviderEntry } from './catalogue-schema.ts';
import { CatalogError, readText } from './document.ts';
import type { Report } from './model-rules.ts';

export const LOCAL = 'local';
/** The type of providers whose targets are workflow files. */
const COMFYUI = 'comfyui';
/** The limits of a provider that sets none. */
export const DEFAULT_LIMITS = { maxConcurrent: 4, submissionsPerMinute: null };
const DEFAULT_TIME_LIMIT_SECONDS = 600;
const MAX_REFERENCES = 6;

/** The context of entries. */
export interface Known {
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly types: readonly string[];
  readonly local: readonly Model[];
  readonly providers: Map<string, ProviderSettings>;
}

/** Reads a provider from an entry that fits the schema, and reports further problems. */
export function providerOf(entry: ProviderEntry, { env, types }: Known, report: Report): ProviderSettings {
  const { id, type, base_url: baseUrl = null, key: variable } = entry;
  if (id === LOCAL) report(['id'], 'must not be local, the provider of the local models');
  if (!types.includes(type)) report(['type'], `must be one of ${types.join(', ')}`);
  if (baseUrl !== null && !isPlainUrl(baseUrl)) report(['base_url'], 'must be an http or https URL without a password');
  if (variable === undefined && baseUrl === null) report(['key'], 'is missing, and so is base_url');
  const key = variable === undefined ? null : valueOf(env, variable);
  // The message omits the name: it may be a key by mistake.
  if (variable !== undefined && key === null) report(['key'], 'must be the name of a variable that is set');
  return {
    id,
    type,
    baseUrl,
    key,
    maxConcurrent: entry.max_concurrent ?? DEFAULT_LIMITS.maxConcurrent,
    submissionsPerMinute: entry.submissions_per_minute ?? DEFAULT_LIMITS.submissionsPerMinute,
  };
}

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  return !!url && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

function valueOf(env: Known['env'], variable: string): string | null {
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
    cost: costOf(entry.cost),
    timeLimitSeconds: entry.time_limit ?? original.timeLimitSeconds,
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
  const workflow = isWorkflow ? workflowOf(entry.target, known.file, report) : null;
  if (isWorkflow && !workflow) return null;
  return {
    id: entry.id,
    title: entry.title ?? entry.id,
    description: entry.description?.trim() || null,
    kind: entry.kind!,
    provider: entry.provider,
    target: entry.target,
    workflow,
    inputs: inputsOf(entry.inputs),
    parameters: entry.parameters ?? {},
    mapping: entry.mapping!,
    cost: costOf(entry.cost),
    timeLimitSeconds: entry.time_limit ?? DEFAULT_TIME_LIMIT_SECONDS,
  };
}

function reportProvider({ providers }: Known, report: Report): void {
  const ids = [LOCAL, ...providers.keys()].join(', ');
  report(['provider'], `must be one of ${ids}: add it to providers, or set the variable with its key`);
}

function inputsOf(entry: InputsEntry = {}): ModelInputs {
  const { image = 'none', style = 'none', references = 'none', mask = 'none', control = 'none' } = entry;
  return { image, style, references, maxReferences: entry.max_references ?? MAX_REFERENCES, mask, control };
}

function costOf(entry: CostEntry): Cost {
  if (typeof entry === 'number') return { credits: entry, parameter: null, per: 'output' };
  return { credits: entry.credits, parameter: entry.parameter ?? null, per: entry.per ?? 'output' };
}

function workflowOf(target: string, catalogue: string, report: Report): JsonObject | null {
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
