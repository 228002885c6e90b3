import { describe, expect, it } from '@jest/globals';
import type { TokenDto } from '../../api/index.ts';
import { apiTokens, exampleFor, expiryOf, SCOPES, scopesInWords, type TokenForm, tokenRequest } from './tokens.ts';

const now = new Date('2026-11-22T12:00:00Z');
const token = (id: number, facts: Partial<TokenDto>): TokenDto => ({
  ...{ id, name: 'log-in', kind: 'log_in', is_current: false },
  ...{ created_at: '', last_used_at: null, expires_at: null, scopes: null },
  ...{ monthly_credits: null, used_credits: null, customer: null },
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

describe('the form of a token', () => {
  const filled: TokenForm = {
    name: ' farm ',
    expires_in_days: '90',
    grant: 'everything',
    scopes: [],
    monthly_credits: '',
    customer: '',
  };

  it('asks for no scopes, budget and customer unless they are chosen', () => {
    expect(tokenRequest(filled)).toEqual({ name: 'farm', expires_in_days: 90, monthly_credits: null });
    expect(tokenRequest({ ...filled, expires_in_days: 'never' })).toMatchObject({ expires_in_days: null });
  });

  it.each<[Partial<TokenForm>, readonly string[] | undefined]>([
    [{ grant: 'everything', scopes: ['team'] }, undefined],
    [{ grant: 'read', scopes: ['team'] }, ['read']],
    [{ grant: 'generate' }, ['generate', 'upload']],
    [{ grant: 'chosen', scopes: ['team', 'read', 'unknown'] }, ['read', 'team']],
  ])('with %j asks for the scopes %j', (part, scopes) => {
    expect(tokenRequest({ ...filled, ...part }).scopes).toEqual(scopes);
  });

  it('is for the customer that is given', () => {
    expect(tokenRequest({ ...filled, customer: ' user-17 ' }).customer).toBe('user-17');
  });

  it('takes a budget of nothing for a budget, other than an empty field', () => {
    expect(tokenRequest({ ...filled, monthly_credits: 0 }).monthly_credits).toBe(0);
    expect(tokenRequest({ ...filled, monthly_credits: 500 }).monthly_credits).toBe(500);
  });
});

it('scopes are listed in words', () => {
  expect(scopesInWords(null)).toBe('Everything');
  expect(scopesInWords(['generate', 'upload'])).toBe('Generate, Upload');
});

it('the example of a first call is one that the token may make', () => {
  expect(exampleFor(null)).toBe('/v2/auth/me');
  for (const scope of SCOPES) expect(exampleFor([scope]) === '/v2/auth/me').toBe(scope === 'account');
});
