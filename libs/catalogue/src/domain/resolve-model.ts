import { DomainError, invalidField } from '#kernel';
import type { Model, Models } from './model.ts';
import { isAbsent, readValue } from './parameters.ts';

type KnownModels = Pick<Models, 'all' | 'gone'>;

/** The model of a name, and its successor, which takes the calls of a model that is `replaced`. */
export type ResolvedModel =
  /** `successor` will take its calls, if it retires. */
  | { readonly state: 'ok'; readonly entry: Model; readonly successor: Model | null }
  | { readonly state: 'replaced'; readonly entry: Model; readonly successor: Model }
  /** `gone`: its vendor no longer has it. */
  | { readonly state: 'retired' | 'gone'; readonly entry: Model; readonly successor: null }
  | { readonly state: 'unknown'; readonly entry: null; readonly successor: null };

export type ModelState = ResolvedModel['state'];
export const MODEL_STATES: readonly ModelState[] = ['ok', 'replaced', 'retired', 'gone', 'unknown'];

/** The model that has a name as its id or alias, as it is at a time. Everything that takes the name of a model asks it. */
export function resolveModel(name: string, models: KnownModels, now: Date): ResolvedModel {
  const { all } = models;
  const entry = all.find(({ id }) => id === name) ?? all.find(({ aliases }) => aliases.includes(name));
  if (!entry) return { state: 'unknown', entry: null, successor: null };
  const isEnded = isRetired(entry, now);
  if (!isEnded && !models.gone.has(entry.id)) {
    const end = entry.retiresAt ?? now;
    return { state: 'ok', entry, successor: successorOf(entry, models, end > now ? end : now) };
  }
  const successor = successorOf(entry, models, now);
  if (successor) return { state: 'replaced', entry, successor };
  return { state: isEnded ? 'retired' : 'gone', entry, successor };
}

export function isRetired({ retiresAt }: Pick<Model, 'retiresAt'>, now: Date): boolean {
  return retiresAt !== null && retiresAt <= now;
}

/** The models that run at a time: neither retired nor gone. */
export function livingModels({ all, gone }: KnownModels, now: Date): readonly Model[] {
  return all.filter((model) => !isRetired(model, now) && !gone.has(model.id));
}

/** Follows the successors to one of the same kind that runs; `null` for a circle or a dead end. */
function successorOf(entry: Model, models: KnownModels, now: Date): Model | null {
  const seen = new Set<string>();
  for (let next: Model | undefined = entry; next && !seen.has(next.id);) {
    seen.add(next.id);
    const { successor }: Model = next;
    next = models.all.find(({ id, kind }) => id === successor && kind === entry.kind);
    if (next && !isRetired(next, now) && !models.gone.has(next.id)) return next.id === entry.id ? null : next;
  }
  return null;
}

/** The model has ended and has no successor. `alternatives` are ids of models of its kind that share a task with it. */
export class ModelRetired extends DomainError {
  constructor(
    { id }: Model,
    readonly alternatives: readonly string[],
  ) {
    const near = alternatives.length > 0 ? `use ${alternatives.join(' or ')}` : 'use another one';
    super('model_retired', `the model ${id} has ended: ${near}`);
  }
}

/** A call as its model takes it. */
export interface TakenCall<Fields> {
  readonly model: Model;
  readonly fields: Fields;
}

/**
 * The model that takes a call: the one that it names, or its successor. The caller checks the fields as if the call named
 * that model. Without the fields that only the replaced model has, if they are its defaults.
 *
 * @throws DomainError `validation_failed` on `model`, or on a field that only the replaced model has; `model_retired`;
 * `provider_misconfigured` for a model that its vendor no longer has
 */
export function takeCall<Fields extends object>(
  { model: name, fields }: { readonly model: string; readonly fields: Fields },
  models: KnownModels,
  now: Date,
): TakenCall<Fields> {
  const { state, entry, successor } = resolveModel(name, models, now);
  switch (state) {
    case 'ok':
      return { model: entry, fields };
    case 'replaced':
      return { model: successor, fields: fieldsFor(successor, entry, fields) };
    case 'retired':
      throw new ModelRetired(entry, alternativesOf(entry, models, now));
    case 'gone': {
      const message = `the vendor no longer has the model ${entry.id}: the operator of the service has to act`;
      throw new DomainError('provider_misconfigured', message);
    }
    case 'unknown': {
      const known = livingModels(models, now).map(({ id }) => id);
      throw invalidField('model', `must be one of ${known.join(', ')}`);
    }
  }
}

function alternativesOf({ kind, tasks }: Model, models: KnownModels, now: Date): readonly string[] {
  const near = livingModels(models, now).filter((model) => model.kind === kind);
  const isNear = (model: Model) => tasks.length === 0 || model.tasks.some((task) => tasks.includes(task));
  return near.filter(isNear).map(({ id }) => id);
}

/** @throws DomainError `validation_failed` */
function fieldsFor<Fields extends object>(successor: Model, replaced: Model, fields: Fields): Fields {
  const kept = { ...fields } as Record<string, unknown>;
  const refused: Record<string, readonly string[]> = {};
  for (const [name, parameter] of Object.entries(replaced.parameters)) {
    if (Object.hasOwn(successor.parameters, name) || !Object.hasOwn(kept, name)) continue;
    const { [name]: sent } = kept;
    const isDefault =
      isAbsent(sent) || JSON.stringify(readValue(parameter, sent)) === JSON.stringify(parameter.default);
    if (!isDefault)
      refused[name] = [`must be left out: ${successor.id}, which replaces ${replaced.id}, does not take it`];
    delete kept[name];
  }
  const [first] = Object.entries(refused);
  if (!first) return kept as Fields;
  throw new DomainError('validation_failed', `${first[0]} ${first[1][0]}`, { fields: refused });
}
