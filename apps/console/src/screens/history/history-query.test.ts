import { describe, expect, it } from '@jest/globals';
import { filtersSet, NO_FILTER, pairOf, queryOf } from './history-query.ts';

describe('the filters of the history', () => {
  it('ask for everything when there are none', () => {
    expect(JSON.parse(JSON.stringify(queryOf(NO_FILTER)))).toEqual({ limit: 50 });
  });

  it('include both days, whole, in the zone of the reader', () => {
    const { after, before } = queryOf({ ...NO_FILTER, from: '2026-11-21', to: '2026-11-30' });
    expect(after).toBe(new Date(2026, 10, 21).toISOString());
    expect(before).toBe(new Date(2026, 11, 1).toISOString());
  });

  it('leave out invalid filters', () => {
    const typed = { ...NO_FILTER, state: 'sleeping', persona: -1, from: 'yesterday', to: '2026' };
    expect(JSON.parse(JSON.stringify(queryOf(typed)))).toEqual({ limit: 50 });
  });

  it('do not count the open and the compared generations', () => {
    expect(filtersSet({ ...NO_FILTER, open: 3, compare: '1-2' })).toEqual([]);
    expect(filtersSet({ ...NO_FILTER, open: 3, member: 3, from: '2026-11-21' })).toEqual(['member', 'from']);
  });
});

it.each([
  ['12-15', [12, 15]],
  ['12', null],
  ['12-15-16', null],
  ['0-1', null],
  ['', null],
])('a comparison of "%s" is of %j', (text, pair) => expect(pairOf(text)).toEqual(pair));
