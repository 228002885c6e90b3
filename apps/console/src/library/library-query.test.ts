import { describe, expect, it } from '@jest/globals';
import { filtersSet, NO_FILTER, queryOf, stateOf } from './library-query.ts';

describe('the query of the library', () => {
  it('has the filters that are set', () => {
    const state = { ...NO_FILTER, q: ' fox ', kind: 'image', tags: 'blue hour,snow', rating: 4, color: '#c04030' };
    expect(queryOf(state)).toEqual({
      ...{ q: 'fox', kind: ['image'], tag: ['blue hour', 'snow'], rating: 4, color: '#c04030' },
    });
  });

  it('leaves out what a typed address has wrong', () => {
    const wrong = { kind: 'song', origin: 'moon', rating: 9, color: 'red', like: -1, since: 'soon', sort: 'best' };
    expect(queryOf({ ...NO_FILTER, ...wrong })).toEqual({});
  });

  it('is read back from a saved search', () => {
    const state = {
      ...{
        ...NO_FILTER,
        q: 'fox',
        kind: 'image',
        persona: 6,
        member: 7,
        tags: 'a,b',
        madeWith: 'painter',
        customer: 'user-1',
        since: '2026-11-20',
        until: '2026-11-22',
      },
      sort: 'oldest',
    };
    expect(stateOf(queryOf(state))).toEqual(state);
  });

  it('is read from a saved search that names a source in place of an origin', () => {
    expect(stateOf({ source: 'imported' })).toEqual({ ...NO_FILTER, origin: 'import' });
    expect(stateOf({ source: 'derived' })).toEqual(NO_FILTER);
  });
});

it('the filters that are set are without search text, order and what is open', () => {
  expect(filtersSet({ ...NO_FILTER, q: 'fox', sort: 'oldest', open: 3, compare: '1-2', rating: 2 })).toEqual([
    'rating',
  ]);
});
