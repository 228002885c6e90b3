import { describe, expect, it } from '@jest/globals';
import { lineageOf, MAX_ANCESTORS, MAX_RELATIVES } from './lineage.ts';

/** A generation with two outputs, that goes on from an output of another. */
const made = (id: number, parent: number | null = null, output = 0, outputs = [0, 1]) => ({
  id,
  request: { parent: parent === null ? null : { generationId: parent, output } },
  outputs: outputs.map((index) => ({ index })),
});
type Made = ReturnType<typeof made>;

function lineage(generation: Made, related: readonly Made[]) {
  const { ancestors, descendants, isComplete } = lineageOf(generation, [generation, ...related]);
  const shown = ancestors.map(({ id, outputs }) => `${id}.${outputs.map(({ index }) => index).join()}`);
  return [shown, descendants.map(({ id }) => id), isComplete];
}

/** Each goes on from the one before. */
const chain = (from: number, length: number) =>
  Array.from({ length }, (_, index) => made(from + index, index === 0 ? null : from + index - 1));

describe('a lineage', () => {
  it('goes back to the first, each with the output that was gone on from, and on to all that came of it', () => {
    const [first, second, third] = [made(1), made(2, 1, 1), made(5, 2, 0)];
    const related = [made(9, 6), first, made(6, 5), second, made(8, 5, 1)];
    expect(lineage(third, related)).toEqual([['1.1', '2.0'], [6, 8, 9], true]);
  });

  it('is empty for a picture that stands alone', () => {
    expect(lineage(made(7), [])).toEqual([[], [], true]);
  });

  it('leaves out an ancestor without the output that was gone on from, and goes on beyond it', () => {
    const related = [made(1), made(2, 1, 0, [1]), made(3, 2, 0)];
    expect(lineage(made(4, 3), related)).toEqual([['1.0', '3.0'], [], true]);
  });

  it('ends where an ancestor is gone', () => {
    expect(lineage(made(4, 3), [made(1), made(3, 2)])).toEqual([['3.0'], [], true]);
  });

  it('has the nearest ancestors and the newest descendants', () => {
    const ends = ({ ancestors, descendants, isComplete }: ReturnType<typeof lineageOf<Made>>) => [
      ...[ancestors.length, ancestors[0]!.id],
      ...[descendants.length, descendants[0]?.id],
      isComplete,
    ];
    const before = (length: number) => ends(lineageOf(made(1000, 999), chain(1000 - length, length)));
    expect(before(MAX_ANCESTORS)).toEqual([100, 900, 0, undefined, true]);
    expect(before(MAX_ANCESTORS + 1)).toEqual([100, 900, 0, undefined, false]);

    const children = (length: number) => Array.from({ length }, (_, index) => made(4 + index, 3));
    const after = (length: number) => ends(lineageOf(made(3, 2), [made(2), ...children(length)]));
    expect(after(MAX_RELATIVES - 1)).toEqual([1, 2, 199, 4, true]);
    expect(after(MAX_RELATIVES)).toEqual([1, 2, 199, 5, false]);
  });
});
