import type { ModelDto } from '../../../api/index.ts';

export type Kind = ModelDto['kind'];
export const KINDS = ['image', 'video', 'vector', 'model3d', 'mask', 'style'] as const satisfies readonly Kind[];
export const TASKS = ['generate', 'vary', 'inpaint', 'outpaint', 'upscale', 'remove_background', 'animate'] as const;
export type Task = (typeof TASKS)[number];
export const INPUTS = ['image', 'style', 'references', 'mask', 'control'] as const;

/** The JSON Schema of a parameter. */
export interface Parameter {
  readonly type?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

type Credits = number | Readonly<Record<string, number>>;
type Unit = 'output' | 'second';
export type EntryCost = number | { readonly credits: Credits; readonly parameter?: string; readonly per?: Unit };

/** An entry of the catalogue, as in a file and without its id. People edit it, so that it may be wrong. */
export interface Entry {
  readonly title?: string;
  readonly description?: string;
  readonly kind?: Kind;
  readonly provider?: string;
  readonly target?: string;
  readonly tasks?: readonly Task[];
  readonly family?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, Parameter>>;
  readonly mapping?: Readonly<Record<string, unknown>>;
  readonly cost?: EntryCost;
  readonly time_limit?: number;
  /** A date or a time, UTC. */
  readonly retires_at?: string;
  readonly successor?: string;
  readonly aliases?: readonly string[];
  readonly [field: string]: unknown;
}

/** An entry with a change. Fields that become undefined or empty are removed. */
export function withChange(entry: Entry, change: Partial<Entry>): Entry {
  const all = Object.entries({ ...entry, ...change });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''));
}

/** The entry with its required fields filled for a preview: questions are shown as if they were answered. */
export function previewable(entry: Entry): Entry {
  return { kind: 'image', cost: 0, ...entry };
}

/** An entry without a parameter, and without the vendor's fields that only this parameter sets. */
export function withoutParameter(entry: Entry, name: string): Entry {
  const { [name]: _, ...parameters } = entry.parameters ?? {};
  const mapping = Object.entries(entry.mapping ?? {}).filter(([, value]) => !isSetBy(value, name));
  return withChange(entry, {
    parameters: Object.keys(parameters).length === 0 ? undefined : parameters,
    mapping: Object.fromEntries(mapping),
  });
}

function isSetBy(value: unknown, name: string): boolean {
  return (
    value === `{${name}}` || (typeof value === 'object' && value !== null && 'from' in value && value.from === name)
  );
}

export interface CostParts {
  /** Undefined while it is not decided, as a whole or for a value of the parameter. */
  readonly credits: number | Readonly<Record<string, number | undefined>> | undefined;
  /** The parameter whose value decides the credits. */
  readonly parameter: string | null;
  readonly per: Unit;
}

export function costParts(cost: EntryCost | undefined): CostParts {
  if (cost === undefined || typeof cost === 'number') return { credits: cost, parameter: null, per: 'output' };
  return { credits: cost.credits, parameter: cost.parameter ?? null, per: cost.per ?? 'output' };
}

/** The shortest form of a cost; undefined while an amount is missing. */
export function costOf({ credits, parameter, per }: CostParts): EntryCost | undefined {
  const amounts = typeof credits === 'object' ? Object.values(credits) : [credits];
  if (amounts.includes(undefined)) return undefined;
  if (parameter === null && per === 'output') return credits as number;
  return { credits: credits as Credits, ...(parameter !== null && { parameter }), ...(per === 'second' && { per }) };
}

/** The parameters whose value can decide the cost, with their values. */
export function decisiveParameters({ parameters = {} }: Entry): ReadonlyMap<string, readonly string[]> {
  const found = Object.entries(parameters).flatMap(([name, { type, enum: choices, default: byDefault }]) => {
    const values = type === 'boolean' ? ['false', 'true'] : Array.isArray(choices) ? choices.map(String) : [];
    return values.length > 1 && byDefault !== undefined ? [[name, values] as const] : [];
  });
  return new Map(found);
}

/** Reports whether the cost can be for each second. */
export function hasDuration({ parameters = {} }: Entry): boolean {
  return typeof parameters.duration?.default === 'number';
}

export type EntryProblems = Readonly<Record<string, readonly string[]>>;

/** The problems of a field and of what is in it: `minimum must be …`. Undefined without any. */
export function problemAt(problems: EntryProblems, field: string): string | undefined {
  const found = Object.entries(problems).flatMap(([path, messages]) => {
    if (path !== field && !path.startsWith(`${field}.`)) return [];
    return messages.map((message) => `${path.slice(field.length + 1)} ${message}`.trim());
  });
  return found.length === 0 ? undefined : found.join('; ');
}

/** The problems of fields that the form does not have. */
export function otherProblems(problems: EntryProblems, shown: readonly string[]): readonly string[] {
  const isShown = (path: string) => shown.some((field) => path === field || path.startsWith(`${field}.`));
  return Object.entries(problems)
    .filter(([path]) => !isShown(path))
    .flatMap(([path, messages]) => messages.map((message) => `${path} ${message}`.trim()));
}

/** An id that no other entry has: `flux`, `flux-2`. */
export function freeId(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id;
  let number = 2;
  while (taken.includes(`${id}-${number}`)) number++;
  return `${id}-${number}`;
}
