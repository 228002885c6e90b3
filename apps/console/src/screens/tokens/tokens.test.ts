import { describe, expect, it } from '@jest/globals';
import { expiryOf, found } from './tokens.ts';

const now = new Date('2026-11-22T12:00:00Z');

describe('a token', () => {
  it.each([
    [null, 'later'],
    ['2026-11-29T12:00:00Z', 'later'],
    ['2026-11-29T11:59:59Z', 'soon'],
    ['2026-11-22T12:00:01Z', 'soon'],
    ['2026-11-22T12:00:00Z', 'expired'],
  ])('that expires at %s is over: %s', (expires_at, expiry) => expect(expiryOf({ expires_at }, now)).toBe(expiry));

  it('is found by a part of its name in any case, and that of this browser stands first', () => {
    const times = { created_at: '', last_used_at: null, expires_at: null };
    const names = ['Render farm', 'log-in', 'FARM'];
    const tokens = names.map((name, id) => ({
      id,
      name,
      kind: 'api' as const,
      ...times,
      is_current: name === 'log-in',
    }));
    const namesOf = (q: string) => found(tokens, q).map(({ name }) => name);
    expect(namesOf('')).toEqual(['log-in', 'Render farm', 'FARM']);
    expect(namesOf(' farm ')).toEqual(['Render farm', 'FARM']);
  });
});
