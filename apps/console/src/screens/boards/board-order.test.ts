import { describe, expect, it } from '@jest/globals';
import type { MediaDto, NoteDto } from '#client';
import { byHand, placesFor, runsOf, sorted, sortIn } from './board-order.ts';

const item = (id: number, part: Partial<MediaDto> = {}) =>
  ({ id, name: null, rating: 0, decision: 'none', place: -id * 2 ** 20, ...part }) as MediaDto;
const note = (id: number, place: number) => ({ id: -id, text: 'note', place }) as NoteDto;
const idsOf = (entries: readonly { readonly id: number }[]) => entries.map(({ id }) => id);

const media = [
  item(1, { name: 'Shot 10', rating: 3, decision: 'changes_requested' }),
  item(2, { name: 'shot 9', rating: 3 }),
  item(3, { decision: 'approved' }),
];

describe('the media of a board', () => {
  it.each([
    ['newest', [3, 2, 1]],
    ['oldest', [1, 2, 3]],
    ['name', [2, 1, 3]],
    ['rating', [2, 1, 3]],
    ['decision', [3, 1, 2]],
    ['manual', [3, 2, 1]],
    ['typed by hand', [3, 2, 1]],
  ])('are sorted by %s', (sort, ids) => expect(idsOf(sorted(media, sortIn(sort)))).toEqual(ids));

  it('come before notes of the same place', () => {
    expect(idsOf(byHand([note(8, 4), note(9, 4), item(1, { place: 4 }), item(2, { place: 4 })]))).toEqual([
      2, 1, -9, -8,
    ]);
  });
});

it.each([
  [
    [-8, 1],
    [-8, 1, 3, 2],
  ],
  [[3], [2, 3, 1, -8]],
  [
    [3, 2],
    [1, -8, 3, 2],
  ],
])('entries %j get places by which the order is %j', (ids, order) => {
  const entries = byHand([...media, note(8, 0)]);
  const places = placesFor(entries, ids, order);
  expect(idsOf(byHand(entries.map((each) => ({ ...each, place: places.get(each.id) ?? each.place }))))).toEqual(order);
});

it('ids are ordered by requests for a note or for some media', () => {
  expect(runsOf([1, 2, 3, -8, -9, 4], 2)).toEqual([[1, 2], [3], [-8], [-9], [4]]);
});
