import { describe, expect, it } from '@jest/globals';
import type { CellDto } from '../../api/index.ts';
import { resultNames } from './cell-names.ts';
import { cellAt, filtered, inOrder, positionOf, resultsOf } from './results.ts';

const AXES = [
  { name: 'model', values: ['m', 'n'] },
  { name: 'prompt', values: ['{b}', 'a'] },
  { name: '{b}', values: ['x', 'y'] },
  { name: 'pid', values: ['3'] },
  { name: 'image', values: ['https://a.example/owl.png'] },
  { name: 'width', values: ['64'] },
  { name: 'seed', values: ['7', '8'] },
];

function cell(number: number, place: CellDto['place'], prompt: string | null): CellDto {
  return { cell: number, place, generation: { prompt, style: null } } as unknown as CellDto;
}

/** The cells of the axes, as the service orders them. */
const CELLS = ['m', 'n'].flatMap((_, model) =>
  ['x', 'y', 'a'].flatMap((prompt, row) =>
    [7, 8].map((_seed, seed) => {
      const place = [model, row < 2 ? 0 : 1, row < 2 ? row : null, 0, 0, 0, seed];
      return cell(model * 6 + row * 2 + seed + 1, place, prompt);
    }),
  ),
);

describe('a grid', () => {
  it('has a row for each prompt with its variables, and a column for each combination of the other axes', () => {
    const results = resultsOf(AXES, CELLS);
    expect(results.rows.map(({ prompt, variables }) => [prompt, variables.map(({ value }) => value)])).toEqual([
      ['x', ['x']],
      ['y', ['y']],
      ['a', []],
    ]);
    expect(results.columns.map(({ values }) => values.map(({ value }) => value))).toEqual([
      ['m', '7'],
      ['m', '8'],
      ['n', '7'],
      ['n', '8'],
    ]);
    expect(cellAt(results, results.rows[1], results.columns[2])?.cell).toBe(9);
    expect([positionOf(results, 9), positionOf(results, 13)]).toEqual([{ row: 1, column: 2 }, null]);
    expect(inOrder(results).map(({ cell: number }) => number)).toEqual([1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12]);
  });

  it('says once what all columns have, without pictures', () => {
    expect(resultsOf(AXES, CELLS).common).toEqual([
      { axis: 'pid', value: '3' },
      { axis: 'width', value: '64' },
    ]);
  });

  it('is the same in whichever order cells come, and grows by pages', () => {
    const first = resultsOf(AXES, CELLS.slice(0, 4));
    expect([first.rows.length, first.columns.length]).toEqual([2, 2]);
    expect(resultsOf(AXES, CELLS.toReversed())).toMatchObject({ rows: resultsOf(AXES, CELLS).rows });
  });

  it('sorts ten values and more by their place', () => {
    const axes = [
      { name: 'prompt', values: ['a'] },
      { name: 'seed', values: Array.from({ length: 12 }, (_, at) => `${at}`) },
    ];
    const cells = Array.from({ length: 12 }, (_, at) => cell(at + 1, [0, at], 'a'));
    const seeds = resultsOf(axes, cells.toReversed()).columns.map(({ values }) => values[0]!.value);
    expect(seeds).toEqual(axes[1]!.values);
  });

  it('of calls has a row for each prompt, with its calls one after the other', () => {
    const results = resultsOf([], [cell(1, [], 'a'), cell(2, [], null), cell(3, [], 'a')]);
    expect(results.rows.map(({ prompt }) => prompt)).toEqual(['a', null]);
    expect(results.columns).toHaveLength(2);
    expect(inOrder(results).map(({ cell: number }) => number)).toEqual([1, 3, 2]);
    expect(cellAt(results, results.rows[1], results.columns[1])).toBeUndefined();
  });

  it('with a filter has the rows and columns of the cells that are left', () => {
    const results = filtered(resultsOf(AXES, CELLS), ({ cell: number }) => number === 4 || number === 11);
    expect(results.rows.map(({ prompt }) => prompt)).toEqual(['y', 'a']);
    expect(results.columns.map(({ values }) => values.map(({ value }) => value))).toEqual([
      ['m', '8'],
      ['n', '7'],
    ]);
    expect(inOrder(results).map(({ cell: number }) => number)).toEqual([4, 11]);
  });
});

describe('the names of a grid', () => {
  const names = { nameOf: (kind: string, id: string | number) => `${kind} ${id}` };
  const styled = { ...cell(1, [], 'a'), generation: { style: { id: 9, name: 'Warm oils' } } } as unknown as CellDto;
  const { nameOf, column } = resultNames(names, [styled], 2);

  it.each([
    ['model', 'm', 'models m'],
    ['pid', '3', 'personas 3'],
    ['style', '9', 'Warm oils'],
    ['style', '8', 'Style 8'],
    ['style', 'none', 'No style'],
    ['style', 'https://a.example/owl%20two.png', 'owl two.png'],
    ['seed', '7', 'Seed 7'],
    ['guidance_scale', '4', 'Guidance scale 4'],
  ])('are words for %s %s: %s', (axis, value, name) => expect(nameOf({ axis, value })).toBe(name));

  it('number the columns that differ in nothing', () => {
    expect(column({ key: '1', at: 1, values: [] })).toEqual(['No. 2']);
    expect(resultNames(names, [], 1).column({ key: '0', at: 0, values: [] })).toEqual(['Result']);
  });
});
