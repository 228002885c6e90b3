import { basename } from 'node:path';
import { problemsOfNames, problemsOfSuccessor, type Model, type ProviderSettings } from '#catalogue';
import type { ModelEntry, ProviderEntry } from './catalogue-schema.ts';
import { CatalogError, readDocument, schemaProblems } from './document.ts';
import { modelOf, providerOf, type Known } from './entries.ts';
import { checkModel } from './model-rules.ts';
import { AjvParameterCheck } from './parameter-check.ts';
import type { Problem } from './schema-problems.ts';

/** The models on offer and their providers. */
export interface Catalog {
  readonly providers: readonly ProviderSettings[];
  /** The local models and the models of the file, which replace local models with the same id. */
  readonly models: readonly Model[];
}

export interface CatalogSource {
  /** YAML or JSON; `null` for the local models only. */
  readonly file: string | null;
  /** The environment variables with the keys that the file names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The supported types of providers. */
  readonly types: readonly string[];
  /** The models of the provider `local`. */
  readonly local: readonly Model[];
  /** Providers that the environment defines; the file replaces them by id. */
  readonly providers?: readonly ProviderSettings[];
  /** Compiles and caches the schemas of parameters. */
  readonly check?: AjvParameterCheck;
}

/**
 * Reads and validates the catalogue.
 *
 * @throws CatalogError
 */
export function readCatalog(source: CatalogSource): Catalog {
  const { file, env, types, local, providers = [], check = new AjvParameterCheck() } = source;
  const given = providers.filter(({ type }) => types.includes(type));
  if (file === null) return { providers: given, models: local };
  const document = readDocument(file);
  const problems = schemaProblems(document);
  const validEntries = <T>(list: 'providers' | 'models'): Entry<T>[] =>
    entriesOf<T>(document, list).filter(({ path }) => !problems.some((problem) => isWithin(problem, path)));
  const reportAt = (entry: Path) => (path: Path, message: string) =>
    void problems.push({ path: [...entry, ...path], message });
  const settings = new Map(given.map((each) => [each.id, each]));
  const known: Known = { file, types, local, providers: settings };
  for (const { path, entry } of validEntries<ProviderEntry>('providers')) {
    settings.set(entry.id, providerOf(entry, { env, types }, reportAt(path)));
  }
  const models = new Map(local.map((model) => [model.id, model]));
  for (const { path, entry } of validEntries<ModelEntry>('models')) {
    const report = reportAt(path);
    const model = modelOf(entry, known, report);
    if (!model) continue;
    checkModel(model, check, report);
    for (const [field, [problem]] of Object.entries(problemsOfNames(model, [...models.values()]))) {
      report(field.split('.'), problem!);
    }
    models.set(model.id, model);
  }
  for (const { path, entry } of validEntries<ModelEntry>('models')) {
    const { successor = [] } = models.has(entry.id)
      ? problemsOfSuccessor(models.get(entry.id)!, [...models.values()])
      : {};
    for (const problem of successor) problems.push({ path: [...path, 'successor'], message: problem });
  }
  reportRepeatedIds(document, problems);
  if (problems.length === 0) return { providers: [...settings.values()], models: [...models.values()] };
  throw new CatalogError(
    inOrder(problems)
      .map((problem) => lineOf(basename(file), document, problem))
      .join('\n'),
  );
}

type Path = readonly string[];

interface Entry<T> {
  readonly path: Path;
  readonly entry: T;
}

function entriesOf<T>(document: unknown, list: string): Entry<T>[] {
  const entries = fieldOf(document, list);
  return Array.isArray(entries) ? entries.map((entry: T, index) => ({ path: [list, String(index)], entry })) : [];
}

function isWithin({ path }: Problem, [list, index]: Path): boolean {
  return path.length === 0 || (path[0] === list && (path.length === 1 || path[1] === index));
}

function reportRepeatedIds(document: unknown, problems: Problem[]): void {
  for (const list of ['providers', 'models']) {
    const first = new Map<unknown, Path>();
    for (const { path, entry } of entriesOf(document, list)) {
      const id = fieldOf(entry, 'id');
      if (typeof id !== 'string') continue;
      const earlier = first.get(id);
      if (earlier) problems.push({ path: [...path, 'id'], message: `is also the id of ${list}[${earlier[1]}]` });
      else first.set(id, path);
    }
  }
}

/** Sorts problems by entry, providers first. */
function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const rank = ({ path: [list = '', index = ''] }: Problem) => [list === 'models' ? 1 : 0, Number(index)] as const;
  return problems.toSorted((one, other) => {
    const [[list, index], [otherList, otherIndex]] = [rank(one), rank(other)];
    return list - otherList || index - otherIndex;
  });
}

/** `models.yaml: models[3] (interior): cost.per must be one of output, second`. */
function lineOf(file: string, document: unknown, { path, message }: Problem): string {
  const [list, index, ...rest] = path;
  if (list === undefined) return `${file}: the catalogue ${message}`;
  if (index === undefined) return `${file}: ${list} ${message}`;
  const id = fieldOf(fieldOf(fieldOf(document, list), index), 'id');
  const named = typeof id === 'string' && /^[\w.-]{1,100}$/.test(id) ? ` (${id})` : '';
  const field = rest.length > 0 ? `${rest.join('.')} ` : '';
  return `${file}: ${list}[${index}]${named}: ${field}${message}`;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
