import type { Model } from './model.ts';

/** An entry of the catalogue, as others may name it. */
export type NamedModel = Pick<Model, 'id' | 'aliases'> & { readonly kind?: Model['kind'] | undefined };

/** Problems by the path of the field; each message follows the field. */
type Problems = Readonly<Record<string, readonly string[]>>;

/**
 * The names of an entry that others have: a name is unique over all ids and aliases.
 *
 * @param others the entries that keep their names
 */
export function problemsOfNames({ id, aliases }: NamedModel, others: readonly NamedModel[]): Problems {
  const problems: Record<string, readonly string[]> = {};
  const ofAlias = others.find((other) => other.id !== id && other.aliases.includes(id));
  if (ofAlias) problems['id'] = [`is also an alias of ${ofAlias.id}`];
  for (const [index, alias] of aliases.entries()) {
    const owner = alias === id ? id : others.find((other) => other.id !== id && namesOf(other).includes(alias))?.id;
    if (owner !== undefined) {
      problems[`aliases.${index}`] = [owner === alias ? 'is also the id of a model' : `is also an alias of ${owner}`];
    }
  }
  return problems;
}

/** A successor makes what the entry makes, as far as it is known: it may come later. */
export function problemsOfSuccessor(entry: Model, others: readonly NamedModel[]): Problems {
  const kind = others.find(({ id }) => id === entry.successor)?.kind ?? entry.kind;
  if (kind === entry.kind) return {};
  return { successor: [`must be of the kind ${entry.kind}: ${entry.successor} is of the kind ${kind}`] };
}

export function namesOf({ id, aliases }: NamedModel): readonly string[] {
  return [id, ...aliases];
}
