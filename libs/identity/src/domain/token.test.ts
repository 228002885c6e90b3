import { describe, expect, it } from '@jest/globals';
import { isTokenSecret, tokenExpiry, tokenSecretOf } from './token.ts';

describe("a token's secret", () => {
  const random = 'kL9v3cYpQ0mTz7wXb2sRj5uNf8hDg1aE-oVi4yWq_Bx';

  it('says what it is', () => {
    expect(tokenSecretOf(random)).toBe(`x12_${random}`);
    expect(isTokenSecret(tokenSecretOf(random))).toBe(true);
  });

  it.each([
    '',
    'x12_',
    'Bearer',
    '🔑',
    random,
    `X12_${random}`,
    `x12_${random}A`,
    `x12_${random.slice(1)}`,
    `x12_${random}\n`,
  ])('is not %j', (text) => {
    expect(isTokenSecret(text)).toBe(false);
  });
});

describe("a token's expiry", () => {
  const now = new Date('2026-02-28T12:00:00Z');
  const refusal = expect.objectContaining({ fields: { expires_in_days: [expect.any(String)] } });

  it('is so many days of 24 hours later, or never', () => {
    expect(tokenExpiry(now, 1)).toEqual(new Date('2026-03-01T12:00:00Z'));
    expect(tokenExpiry(now, 3650)).toEqual(new Date('2036-02-26T12:00:00Z'));
    expect(tokenExpiry(now, null)).toBeNull();
  });

  it.each([0, -1, 3651, 1.5, NaN])('is not in %d days', (days) => {
    expect(() => tokenExpiry(now, days)).toThrow(refusal);
  });
});
