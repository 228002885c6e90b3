import type { BatchRequest, ModelDto } from '../api/index.ts';
import { type Draft, requestOf } from '../model-form/draft.ts';
import { modelOf } from '../model-form/model-end.ts';
import { variablesOf } from '../model-form/variables.ts';
import { words } from './words.ts';

/** A trained style by its id, or a value of `style_transfer`: `persona`, `none` or a URL. */
export type StyleChoice = number | string;

/** The content of the form of a batch. */
export interface BatchDraft {
  /** Empty for a name by the first prompt. */
  readonly name: string;
  /** One on each line, with `{variables}`. */
  readonly prompts: string;
  /** Values by name; also of variables that no prompt has any more. */
  readonly variables: Readonly<Record<string, readonly string[]>>;
  readonly models: readonly string[];
  readonly personas: readonly number[];
  readonly styles: readonly StyleChoice[];
  /** Values of further fields of the calls, also pictures, by name. */
  readonly parameters: Readonly<Record<string, readonly unknown[]>>;
  readonly seedsBy: 'count' | 'list';
  /** Null for one call without a seed. */
  readonly seedsCount: number | null;
  readonly seeds: readonly string[];
}

/** The props of a part of the form. */
export interface DraftProps {
  readonly draft: BatchDraft;
  readonly onChange: (part: Partial<BatchDraft>) => void;
}

export const EMPTY_BATCH: BatchDraft = {
  name: '',
  prompts: '',
  variables: {},
  models: [],
  personas: [],
  styles: [],
  parameters: {},
  seedsBy: 'count',
  seedsCount: null,
  seeds: [],
};

/** A batch that begins with nothing but the first model, as the form of a single generation does. */
export function emptyBatch(models: readonly Pick<ModelDto, 'id'>[]): BatchDraft {
  return { ...EMPTY_BATCH, models: models.slice(0, 1).map(({ id }) => id) };
}

/** The batch with the models that take the calls of its own now. */
export function withOffered(batch: BatchDraft, models: readonly ModelDto[]): BatchDraft {
  return { ...batch, models: [...new Set(batch.models.flatMap((name) => modelOf(name, models)?.id ?? []))] };
}

type Matrix = NonNullable<BatchRequest['matrix']>;

/** The body of a request, without `dry_run`. */
export interface BatchBody {
  readonly name: string;
  readonly matrix: Matrix;
}

const SEEDS = 4;
const MAX_NAME = 60;
/** Fields of a call whose values are URLs of pictures. */
const PICTURE = /^(image|mask_image|control_image|extra_image_\d)$/;
/** Goes with the image, and is shown with it. */
const PARENT = 'parent';

/** The batch that begins with what the form of a single generation has. */
export function batchOf(draft: Draft, model: ModelDto): BatchDraft {
  const { prompt = '', variables, pid, style_transfer, style_id, seed, model: id, ...rest } = requestOf(draft, model);
  const given = Object.entries((variables ?? {}) as Readonly<Record<string, string>>);
  const takesSeed = 'seed' in ((model.parameters.properties ?? {}) as object);
  const style = typeof style_id === 'number' ? style_id : style_transfer;
  return {
    name: '',
    prompts: String(prompt).replaceAll(/\s*\n\s*/g, ' '),
    variables: Object.fromEntries(given.map(([name, value]) => [name, [value]])),
    models: [id!],
    personas: typeof pid === 'number' ? [pid] : [],
    styles: style === undefined || style === null ? [] : [style],
    parameters: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, [value]])),
    seedsBy: seed === undefined ? 'count' : 'list',
    seedsCount: takesSeed ? SEEDS : null,
    seeds: seed === undefined ? [] : [String(seed)],
  };
}

export function promptsOf({ prompts }: Pick<BatchDraft, 'prompts'>): readonly string[] {
  return prompts
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The variables of all prompts, in their order. */
export function variableNames(draft: Pick<BatchDraft, 'prompts'>): readonly string[] {
  return [...new Set(promptsOf(draft).flatMap(variablesOf))];
}

/** The parameters that are no pictures. */
export function settingNames({ parameters }: Pick<BatchDraft, 'parameters'>): readonly string[] {
  return Object.keys(parameters).filter((name) => !PICTURE.test(name) && name !== PARENT);
}

export function picturesOf({ parameters }: Pick<BatchDraft, 'parameters'>): readonly (readonly [string, string])[] {
  return Object.entries(parameters).flatMap(([name, [url]]) => (PICTURE.test(name) ? [[name, String(url)]] : []));
}

/** The parameters without one; the parent goes with the image. */
export function withoutParameter({ parameters }: BatchDraft, name: string): Pick<BatchDraft, 'parameters'> {
  const gone = name === 'image' ? [name, PARENT] : [name];
  return { parameters: Object.fromEntries(Object.entries(parameters).filter(([each]) => !gone.includes(each))) };
}

/** The request for a draft. Lists without values are left out. */
export function bodyOf(draft: BatchDraft): BatchBody {
  const prompts = promptsOf(draft);
  const variables = variableNames(draft).map((name) => [name, draft.variables[name] ?? []] as const);
  const { models, personas, styles, parameters } = draft;
  const seeds = draft.seedsBy === 'list' ? { seeds: draft.seeds.map(seedOf) } : { seeds_count: draft.seedsCount };
  const lists = {
    models,
    prompts,
    variables: Object.fromEntries(variables.filter(([, values]) => values.length > 0)),
    personas,
    styles,
    parameters: Object.fromEntries(Object.entries(parameters).filter(([, values]) => values.length > 0)),
    ...seeds,
  };
  return {
    name: nameOf(draft),
    // As the form has them: the service says what is wrong, such as no model.
    matrix: Object.fromEntries(Object.entries(lists).filter(([, list]) => !isEmpty(list))) as unknown as Matrix,
  };
}

/** Its name, or the beginning of its first prompt. */
export function nameOf(draft: Pick<BatchDraft, 'name' | 'prompts'>): string {
  const [first = words.title] = promptsOf(draft);
  return draft.name.trim() || (first.length <= MAX_NAME ? first : `${first.slice(0, MAX_NAME - 1).trimEnd()}…`);
}

/** A seed that is no number is sent as it is: the service says what is wrong. */
function seedOf(text: string): number | string {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

function isEmpty(list: unknown): boolean {
  return list === null || (typeof list === 'object' && Object.keys(list).length === 0);
}

/** The values of a field in which commas and line ends separate them, as they are pasted too. */
export function splitTexts(texts: readonly string[]): readonly string[] {
  const values = texts.flatMap((text) => text.split(/[,\n]/).map((value) => value.trim()));
  return [...new Set(values.filter(Boolean))];
}

/** The text of a value in a field. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The values for the texts of a field: those that were there, numbers and truth values; texts where a model takes a text. */
export function valuesOfTexts(
  texts: readonly string[],
  name: string,
  before: readonly unknown[],
  models: readonly ModelDto[],
): readonly unknown[] {
  const isText = models.some((model) => typeOf(model, name) === 'string');
  return texts.map((text) => {
    const known = before.find((value) => textOfValue(value) === text);
    return known ?? (isText ? text : valueOf(text));
  });
}

function typeOf({ parameters }: ModelDto, name: string): unknown {
  const properties = (parameters.properties ?? {}) as Readonly<Record<string, { readonly type?: unknown }>>;
  return properties[name]?.type;
}

function valueOf(text: string): unknown {
  return /^(-?\d+(\.\d+)?|true|false)$/.test(text) ? (JSON.parse(text) as unknown) : text;
}
