import { describe, expect, it } from '@jest/globals';
import type { CellDto } from '../../api/index.ts';
import { batchLines } from './batch-csv.ts';
import { chosenOf, rated, ratingOf } from './best.ts';

const cell = (number: number, files: readonly number[], state = 'succeeded') =>
  ({
    cell: number,
    generation: {
      ...{ state, model: 'm', prompt: 'a, b', pid: 3, parameters: { seed: 7 }, cost: 4 },
      error: state === 'failed' ? { message: 'no' } : null,
      outputs: files.map((file_id) => ({ file_id, url: `u${file_id}` })),
    },
  }) as unknown as CellDto;
const CELLS = [cell(1, [11, 12]), cell(2, [], 'failed'), cell(3, [13])];
const RATINGS = new Map([
  [12, 4],
  [11, 2],
]);

describe('the best of a batch', () => {
  it('has cells by their best output', () => {
    expect(CELLS.map((each) => ratingOf(each, RATINGS))).toEqual([4, 0, 0]);
  });

  it('keeps outputs with a rating', () => {
    expect(chosenOf(CELLS, RATINGS)).toEqual({ kept: [11, 12], gone: [13] });
  });

  it('changes with a rating, which 0 takes off', () => {
    expect([...rated(RATINGS, 13, 5)]).toEqual([...RATINGS, [13, 5]]);
    expect([...rated(RATINGS, 12, 0)]).toEqual([[11, 2]]);
  });

  it('is a table with a line for each output, or for each cell without one', () => {
    expect(batchLines(CELLS, RATINGS)).toEqual([
      ['cell', 'state', 'model', 'prompt', 'persona', 'seed', 'rating', 'credits', 'error', 'url'],
      [1, 'succeeded', 'm', 'a, b', 3, 7, 2, 4, '', 'u11'],
      [1, 'succeeded', 'm', 'a, b', 3, 7, 4, 4, '', 'u12'],
      [2, 'failed', 'm', 'a, b', 3, 7, 0, 0, 'no', ''],
      [3, 'succeeded', 'm', 'a, b', 3, 7, 0, 4, '', 'u13'],
    ]);
  });
});
