import type { GenerationResponse, LineageResponse, OutputDto } from '../../../api/index.ts';

/** An output, and the generation that made it. */
export interface Made {
  readonly generation: Pick<GenerationResponse, 'id' | 'prompt'>;
  readonly output: OutputDto;
}

/** An output of a lineage. */
export interface Version extends Made {
  /** From 1, in the order of the lineage. */
  readonly number: number;
  readonly isOpen: boolean;
}

export interface Versions {
  /** In the order of the lineage. */
  readonly shown: readonly Version[];
  /** How many others there are. */
  readonly others: number;
}

/**
 * The versions of an output: those that it goes on from, the output itself, and those that go on from it. Masks are not
 * versions.
 *
 * @param most are shown: the nearest in the order of the lineage
 */
export function versionsOf(open: Made, lineage: LineageResponse, most: number): Versions {
  const before = lineage.ancestors.flatMap(outputsOf);
  const after = laterThan(open, lineage.descendants).flatMap(outputsOf);
  const all = [...before, open, ...after].map((made, index) => ({
    ...{ generation: made.generation, output: made.output, number: index + 1, isOpen: made === open },
  }));
  const first = Math.max(0, Math.min(before.length - Math.floor((most - 1) / 2), all.length - most));
  const shown = all.slice(first, first + most);
  return { shown, others: all.length - shown.length };
}

type Relatives = LineageResponse['descendants'];

function outputsOf(relative: Relatives[number]): readonly Made[] {
  return relative.kind === 'mask' ? [] : relative.outputs.map((output) => ({ generation: relative, output }));
}

/** The generations that go on from the output, and not from another output of its generation. */
function laterThan({ generation, output }: Made, descendants: Relatives): Relatives {
  const elsewhere = new Set<number>();
  for (const { id, parent } of descendants) {
    const isOfOther = parent?.generation_id === generation.id && parent.output !== output.index;
    if (isOfOther || (parent && elsewhere.has(parent.generation_id))) elsewhere.add(id);
  }
  return descendants.filter(({ id }) => !elsewhere.has(id));
}
