import { describe, expect, it } from '@jest/globals';
import { changedPreferences } from './preferences.ts';

describe('preferences', () => {
  it('are replaced by name, and removed by an empty text', () => {
    expect(changedPreferences({ tiles: 'small', done: '1' }, { tiles: 'large', done: '', more: 'a' })).toEqual({
      tiles: 'large',
      more: 'a',
    });
  });

  it('are 50 at most, with those that are there', () => {
    const many = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${from + at}`, 'x']));
    expect(Object.keys(changedPreferences(many(0, 49), many(49, 1)))).toHaveLength(50);
    expect(() => changedPreferences(many(0, 49), many(49, 2))).toThrow('preferences must have at most 50 keys');
  });
});
