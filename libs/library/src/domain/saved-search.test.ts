import { describe, expect, it } from '@jest/globals';
import { checkSavedSearches, MAX_SAVED_SEARCHES } from './saved-search.ts';

describe('the saved searches of a person', () => {
  it('are 200 at most', () => {
    expect(MAX_SAVED_SEARCHES).toBe(200);
    expect(() => checkSavedSearches(200)).not.toThrow();
    expect(() => checkSavedSearches(201)).toThrow(expect.objectContaining({ code: 'conflict' }));
  });
});
