import { describe, expect, it } from '@jest/globals';
import type { EventDto } from '../../api/index.ts';
import { eventWords } from './event-words.ts';
import { type EventPages, lastNumber, subjectLink, subjectText, TYPE_GROUPS, typesIn, withEvent } from './events.ts';

const event = (number: number, facts: Partial<EventDto> = {}): EventDto => ({
  ...{ id: `id-${number}`, number, type: 'board.created', created_at: '', customer: null, data: {} },
  ...{ subject: { type: 'board', id: 7 } },
  ...facts,
});
const pages = (...numbers: readonly number[][]): EventPages => ({
  pages: numbers.map((page) => ({ events: page.map((number) => event(number)) })),
  pageParams: numbers.map(() => undefined),
});
const numbersOf = ({ pages: all }: EventPages) => all.map(({ events }) => events.map(({ number }) => number));

describe('a new event', () => {
  it('is put on top, once', () => {
    const data = pages([5, 4], [3]);
    expect(numbersOf(withEvent(data, event(8)))).toEqual([[8, 5, 4], [3]]);
    expect(withEvent(data, event(5))).toBe(data);
    expect(numbersOf(withEvent(pages([]), event(1)))).toEqual([[1]]);
  });

  it('comes after the latest that is listed', () => {
    expect([lastNumber(undefined), lastNumber(pages([])), lastNumber(pages([5, 4], [3]))]).toEqual([0, 0, 5]);
  });
});

it('every type can be chosen, once', () => {
  expect(TYPE_GROUPS.flatMap(({ items }) => items.map(({ value }) => value)).toSorted()).toEqual(
    Object.keys(eventWords).toSorted(),
  );
  expect(typesIn('board.deleted,nothing,board.created')).toEqual(['board.created', 'board.deleted']);
  expect(typesIn('')).toEqual([]);
});

it.each<[Partial<EventDto>, string, object | null]>([
  [{ type: 'batch.ended', subject: { type: 'batch', id: 3 } }, 'Batch 3', { to: '/batches/3' }],
  [
    { type: 'generation.failed', subject: { type: 'generation', id: 12 } },
    'Generation 12',
    { to: '/generate', search: { generation: 12 } },
  ],
  [{ type: 'comment.created' }, 'Board 7', { to: '/boards/7' }],
  [{ type: 'board.deleted' }, 'Board 7', null],
  [{ type: 'model.gone', subject: { type: 'model', id: 'flux' } }, 'Model flux', null],
  [{ type: 'credits.low', subject: { type: 'workspace', id: 1 } }, 'Workspace', { to: '/usage' }],
])('the subject of %j is "%s", at %j', (facts, text, link) => {
  expect(subjectText(event(1, facts).subject)).toBe(text);
  expect(subjectLink(event(1, facts))).toEqual(link);
});
