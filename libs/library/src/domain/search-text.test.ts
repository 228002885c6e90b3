import { describe, expect, it } from '@jest/globals';
import { facetQuery, queryWords, searchDocument, vocabularyOf, wordQuery, type SearchedFacts } from './search-text.ts';

const facts: SearchedFacts = {
  workspaceId: 7,
  kind: 'image',
  origin: 'output',
  model: 'flux/dev',
  personaId: 3,
  userId: null,
  prompt: 'A fox, a FOX',
  name: 'My fox',
  filename: 'generation-12.png',
  tags: ['blue hour'],
};

describe('the search document of an item', () => {
  it('has its facets, and its words by weight: tags, prompt, names and model', () => {
    expect(searchDocument(facts).split(' ')).toEqual([
      ...["'workspace=7'", "'kind=image'", "'origin=output'", "'model=flux/dev'", "'persona=3'", "'tag=blue"],
      ...["hour'", "'blue':1A", "'hour':2A", "'a':3B,5B", "'fox':4B,6B,8C", "'my':7C", "'generation':9C"],
      ...["'12':10C", "'png':11C", "'flux':12C", "'dev':13C"],
    ]);
  });

  it('quotes what a name can have', () => {
    expect(searchDocument({ ...facts, model: `o'\\x` })).toContain(`'model=o''\\\\x'`);
  });

  it('has a limited number of words and of positions', () => {
    const prompt = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');
    expect(searchDocument({ ...facts, prompt }).split(' ').length).toBeLessThan(2_020);
    expect(searchDocument({ ...facts, prompt: 'fox '.repeat(100) })).toMatch(/'fox':(\d+B,){7}\d+B /);
  });

  it('is compared with typing errors by each of its words once', () => {
    expect(vocabularyOf(facts)).toEqual(['blue', 'hour', 'a', 'fox', 'my', 'generation', '12', 'png', 'flux', 'dev']);
  });
});

describe('a query', () => {
  const plain = (word: string) => ({ word, corrections: [], personaIds: [] });

  it('has the first twelve words of a text of any length', () => {
    expect(queryWords('Fox & "snow"')).toEqual(['fox', 'snow']);
    expect(queryWords('x '.repeat(5_000))).toHaveLength(12);
  });

  it('asks for all words, long ones with their endings', () => {
    expect(wordQuery([plain('fox'), plain('a')])).toBe(`('fox':*) & ('a')`);
  });

  it('asks for corrections and personas instead of a word', () => {
    const word = { word: 'moutain', corrections: ['mountain'], personaIds: [4] };
    expect(wordQuery([word])).toBe(`('moutain':* | 'mountain' | 'persona=4')`);
  });

  it('asks for nothing without words', () => {
    expect(wordQuery([])).toBeNull();
  });

  it('asks for one facet of each group', () => {
    const groups = [[{ workspace: 1 }], [{ kind: 'image' }, { kind: 'video' }], [{ tag: `it's` }]];
    expect(facetQuery(groups)).toBe(`('workspace=1') & ('kind=image' | 'kind=video') & ('tag=it''s')`);
  });
});
