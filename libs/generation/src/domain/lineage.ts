/** An output of a generation, by its place from 0. */
export interface OutputReference {
  readonly generationId: number;
  readonly output: number;
}

/** Maximum generations of a lineage: the nearest ancestors, and the newest descendants. */
export const MAX_ANCESTORS = 100;
export const MAX_RELATIVES = 200;

/** A generation of a lineage. */
interface Relative {
  readonly id: number;
  readonly request: { readonly parent: OutputReference | null };
  readonly outputs: readonly { readonly index: number }[];
}

/** Where a generation came from, and what came of it. */
export interface Lineage<T extends Relative> {
  /** Oldest first. Each has only the output that the next one goes on from. */
  readonly ancestors: readonly T[];
  /** Oldest first. */
  readonly descendants: readonly T[];
  /** True if there are no further ones. */
  readonly isComplete: boolean;
}

/**
 * The lineage of a generation. An ancestor without the output that was gone on from, which was deleted since, is left out.
 *
 * @param related the generation, its ancestors, and those descendants that are shown, in any order; as a parent is older
 * than what goes on from it, ids tell ancestors from descendants
 */
export function lineageOf<T extends Relative>(generation: T, related: readonly T[]): Lineage<T> {
  const chain = chainOf(generation, related);
  const nearest = chain.slice(0, MAX_ANCESTORS);
  const ancestors = nearest.filter(({ outputs }) => outputs.length > 0).reverse();
  const all = related.filter(({ id }) => id > generation.id).sort((a, b) => b.id - a.id);
  const newest = all.slice(0, MAX_RELATIVES - ancestors.length);
  const isComplete = chain.length === nearest.length && all.length === newest.length;
  return { ancestors, descendants: newest.reverse(), isComplete };
}

/** The ancestors, nearest first, each with the output that was gone on from. */
function chainOf<T extends Relative>(generation: T, related: readonly T[]): readonly T[] {
  const byId = new Map(related.map((each) => [each.id, each]));
  const chain: T[] = [];
  let { parent } = generation.request;
  while (parent) {
    const found = byId.get(parent.generationId);
    if (!found) break;
    const { output } = parent;
    chain.push({ ...found, outputs: found.outputs.filter(({ index }) => index === output) });
    parent = found.request.parent;
  }
  return chain;
}
