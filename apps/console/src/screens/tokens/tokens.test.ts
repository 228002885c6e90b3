import { describe, expect, it } from '@jest/globals';
import type { TokenDto } from '../../api/index.ts';
import { apiTokens, expiryOf } from './tokens.ts';

const now = new Date('2026-11-22T12:00:00Z');
const token = (id: number, facts: Partial<TokenDto>): TokenDto => ({
  ...{ id, name: 'log-in', kind: 'log_in', is_current: false },
  ...{ created_at: '', last_used_at: null, expires_at: null, scopes: null },
  ...{ monthly_credits: null, used_credits: null },
  ...facts,
});

describe('a token', () => {
  it.each([
    [null, 'later'],
    ['2026-11-29T12:00:00Z', 'later'],
    ['2026-11-29T11:59:59Z', 'soon'],
    ['2026-11-22T12:00:01Z', 'soon'],
    ['2026-11-22T12:00:00Z', 'expired'],
  ])('that expires at %s expires: %s', (expires_at, expiry) => expect(expiryOf({ expires_at }, now)).toBe(expiry));

  it('of a program is found by a part of its name in any case', () => {
    const named = ['Render farm', 'FARM', 'Bot'].map((name, id) => token(id, { name, kind: 'api' }));
    const namesOf = (q: string) => apiTokens([...named, token(9, { name: 'farm' })], q).map(({ name }) => name);
    expect(namesOf('')).toEqual(['Render farm', 'FARM', 'Bot']);
    expect(namesOf(' farm ')).toEqual(['Render farm', 'FARM']);
  });
});
