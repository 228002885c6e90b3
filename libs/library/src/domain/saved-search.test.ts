import { expect, it } from '@jest/globals';
import { checkSavedSearches, MAX_SAVED_SEARCHES } from './saved-search.ts';

it('the saved searches of a person are 200 at most', () => {
  expect(MAX_SAVED_SEARCHES).toBe(200);
  expect(() => checkSavedSearches(200)).not.toThrow();
  expect(() => checkSavedSearches(201)).toThrow(expect.objectContaining({ code: 'conflict' }));
});
