import { describe, expect, it } from '@jest/globals';
import type { LineageResponse, OutputDto, RelativeDto } from '../../../api/index.ts';
import { versionsOf } from './versions.ts';

const output = (index: number) => ({ index }) as OutputDto;
const relative = (id: number, parent: readonly [number, number] | null = null, outputs = [0], kind = 'image') =>
  ({
    ...{ id, kind, prompt: `prompt ${id}`, outputs: outputs.map(output) },
    parent: parent && { generation_id: parent[0], output: parent[1] },
  }) as RelativeDto;
const lineage = (ancestors: RelativeDto[], descendants: RelativeDto[]): LineageResponse => ({
  ...{ ancestors, descendants, is_complete: true },
});
const open = { generation: { id: 10, prompt: 'a fox' }, output: output(1) };
/** As generation and output; the open one has a mark. */
const shape = ({ shown, others }: ReturnType<typeof versionsOf>) => [
  shown.map((each) => `${each.number}: ${each.generation.id}.${each.output.index}${each.isOpen ? ' open' : ''}`),
  others,
];

describe('the versions of an item', () => {
  it('are what it goes on from, the item, and each output that goes on from it, in the order of the lineage', () => {
    const both = lineage(
      [relative(3), relative(7, [3, 0], [2])],
      [relative(11, [10, 1], [0, 1]), relative(12, [11, 1])],
    );
    expect(shape(versionsOf(open, both, 9))).toEqual([
      ['1: 3.0', '2: 7.2', '3: 10.1 open', '4: 11.0', '5: 11.1', '6: 12.0'],
      0,
    ]);
  });

  it('leave out what goes on from another output of its generation', () => {
    const descendants = [relative(11, [10, 0]), relative(12, [10, 1]), relative(13, [11, 0]), relative(14, [12, 0])];
    expect(shape(versionsOf(open, lineage([], descendants), 9))).toEqual([['1: 10.1 open', '2: 12.0', '3: 14.0'], 0]);
  });

  it('include one whose parent is no longer in the list', () => {
    expect(shape(versionsOf(open, lineage([], [relative(90, [50, 0])]), 9))[0]).toEqual(['1: 10.1 open', '2: 90.0']);
  });

  it('include no masks, and nothing without an output', () => {
    const descendants = [relative(11, [10, 1], [0, 1], 'mask'), relative(12, [10, 1], [])];
    expect(shape(versionsOf(open, lineage([], descendants), 9))).toEqual([['1: 10.1 open'], 0]);
  });

  const chain = (from: number, many: number) => Array.from({ length: many }, (_, index) => relative(from + index));
  it.each([
    [4, 4, 1, 9, 0],
    [5, 4, 2, 10, 1],
    [4, 5, 1, 9, 1],
    [20, 20, 17, 25, 32],
    [20, 0, 13, 21, 12],
    [0, 20, 1, 9, 12],
    [1, 0, 1, 2, 0],
  ])('are the nearest nine: of %d before and %d after, those from %d to %d', (before, after, first, last, others) => {
    const versions = versionsOf(open, lineage(chain(100, before), chain(200, after)), 9);
    const numbers = versions.shown.map(({ number }) => number);
    expect([numbers[0], numbers.at(-1), numbers.length, versions.others]).toEqual([
      ...[first, last, last - first + 1, others],
    ]);
    expect(versions.shown.find(({ isOpen }) => isOpen)).toMatchObject({ number: before + 1, output: { index: 1 } });
  });
});
