import { describe, expect, it } from '@jest/globals';
import { layOut, neighbour, tilesBetween, withoutFirst } from './columns.ts';

const grid = { width: 210, gap: 10, column: 100 };
/** Two columns of 100: tiles 0 and 3 at the left, 1, 2 and 4 at the right. */
const layout = layOut([2, 1, 1, 0.5, 1], grid);

describe('columns', () => {
  it('get each tile in the shortest column', () => {
    expect(layout.columns).toEqual([
      [0, 3],
      [1, 2, 4],
    ]);
    expect(layout.places.map(({ x, y, height }) => [x, y, height])).toEqual([
      [0, 0, 200],
      [110, 0, 100],
      [110, 110, 100],
      [0, 210, 50],
      [110, 220, 100],
    ]);
    expect(layout.height).toBe(320);
  });

  it('are as many as fit, and at least one', () => {
    expect(layOut([1], { ...grid, width: 209 }).columns).toHaveLength(1);
    expect(layOut([1], { ...grid, width: 20 }).places[0]).toMatchObject({ width: 20 });
    expect(layOut([], grid).height).toBe(0);
  });

  it('show the tiles that overlap a strip, but not tiles that end or begin at its border', () => {
    expect(tilesBetween(layout, 100, 210)).toEqual([0, 2]);
    expect(tilesBetween(layout, 99, 211)).toEqual([0, 1, 2, 3]);
  });

  it.each([
    [0, 'down', 3],
    [0, 'up', 0],
    [0, 'right', 1],
    [4, 'left', 3],
    [1, 'right', 1],
    [2, 'down', 4],
  ] as const)('lead from tile %s %s to tile %s', (index, direction, next) => {
    expect(neighbour(layout, index, direction)).toBe(next);
  });

  it('keep their places without the first tiles, which are of another kind', () => {
    const rest = withoutFirst(layout, 2);
    expect(rest.columns).toEqual([[1], [0, 2]]);
    expect(rest.places[0]).toEqual(layout.places[2]);
    expect(neighbour(rest, 0, 'up')).toBe(0);
    expect(tilesBetween(rest, 0, 211)).toEqual([0, 1]);
    expect(rest.height).toBe(layout.height);
  });
});
