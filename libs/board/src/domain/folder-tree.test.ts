import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { heightOf, MAX_DEPTH, pathTo, refusalOf, subtreeOf, type Parents } from './folder-tree.ts';

/** A tree from (folder, wanted parent) pairs: a move that is refused is not made. */
function grown(moves: readonly (readonly [number, number | null])[]): Map<number, number | null> {
  const parents = new Map<number, number | null>();
  for (const [folder, parent] of moves) {
    if (parent !== null && !parents.has(parent)) continue;
    const placement = {
      path: pathTo(parents, parent),
      folderId: parents.has(folder) ? folder : null,
      height: parents.has(folder) ? heightOf(parents, folder) : 1,
    };
    if (refusalOf(placement) === null) parents.set(folder, parent);
  }
  return parents;
}

const moves = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 12 }), fc.option(fc.integer({ min: 1, max: 12 }))),
  { maxLength: 60 },
);

const chain = (length: number): Parents =>
  new Map(Array.from({ length }, (_, index) => [index + 1, index === 0 ? null : index]));

describe('a board’s folders', () => {
  it('stay a tree under any sequence of moves', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const parents = grown(sequence);
        for (const folder of parents.keys()) {
          const path = pathTo(parents, folder);
          expect(new Set(path).size).toBe(path.length);
          expect(parents.get(path[0]!)).toBeNull();
          expect(path.length).toBeLessThanOrEqual(MAX_DEPTH);
        }
      }),
    );
  });

  it('lose exactly a folder and its descendants when it is deleted', () => {
    fc.assert(
      fc.property(moves, (sequence) => {
        const parents = grown(sequence);
        for (const folder of parents.keys()) {
          const taken = subtreeOf(parents, folder);
          for (const other of parents.keys()) {
            expect(taken.has(other)).toBe(pathTo(parents, other).includes(folder));
          }
        }
      }),
    );
  });

  it('refuse a folder in itself and below itself, and nowhere else', () => {
    const parents = chain(3);
    const move = (folderId: number, to: number | null) =>
      refusalOf({ path: pathTo(parents, to), folderId, height: heightOf(parents, folderId) });
    expect(move(1, 1)).toBe('folder_cycle');
    expect(move(1, 3)).toBe('folder_cycle');
    expect(move(3, 1)).toBeNull();
    expect(move(3, null)).toBeNull();
  });

  it('nest 50 deep and no deeper', () => {
    const parents = chain(MAX_DEPTH);
    const newUnder = (parent: number) =>
      refusalOf({ path: pathTo(parents, parent), folderId: null, height: 1 });
    expect(newUnder(MAX_DEPTH - 1)).toBeNull();
    expect(newUnder(MAX_DEPTH)).toBe('too_deep');
  });

  it('count what a moved folder brings along', () => {
    const twoOfThem = new Map([
      ...chain(30),
      ...[...chain(21)].map(([id, up]) => [id + 100, up && up + 100] as const),
    ]);
    const moveUnder = (parent: number) =>
      refusalOf({ path: pathTo(twoOfThem, parent), folderId: 101, height: heightOf(twoOfThem, 101) });
    expect(moveUnder(29)).toBeNull();
    expect(moveUnder(30)).toBe('too_deep');
  });
});
