import { describe, expect, it } from '@jest/globals';
import { relevanceOf, sortOf, type LibraryFilter } from './filter.ts';

describe('the order of a search', () => {
  it.each<[LibraryFilter, string]>([
    [{}, 'newest'],
    [{ model: 'flux' }, 'newest'],
    [{ text: 'fox' }, 'relevance'],
    [{ color: '#ff0000' }, 'relevance'],
    [{ like: 3 }, 'relevance'],
    [{ text: 'fox', sort: 'oldest' }, 'oldest'],
    [{ sort: 'rating' }, 'rating'],
  ])('of %j is %s', (filter, sort) => {
    expect(sortOf(filter)).toBe(sort);
  });

  it('is no relevance where there is nothing to measure it by', () => {
    expect(() => sortOf({ sort: 'relevance', rating: 4 })).toThrow('without q, color and like');
  });

  it('goes by the look before the colour before the words', () => {
    expect(relevanceOf({ text: 'fox', color: '#ff0000', like: 3 })).toBe('look');
    expect(relevanceOf({ text: 'fox', color: '#ff0000' })).toBe('color');
    expect(relevanceOf({ text: 'fox' })).toBe('words');
  });
});
