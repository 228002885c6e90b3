import { describe, expect, it } from '@jest/globals';
import { isTokenSecret } from '#identity';
import { RandomTokenSecrets } from './random-token-secrets.ts';

describe('random token secrets', () => {
  const secrets = new RandomTokenSecrets();

  it('have the format of a token, and never repeat', () => {
    const made = Array.from({ length: 1000 }, () => secrets.create());
    expect(made.every(isTokenSecret)).toBe(true);
    expect(new Set(made).size).toBe(1000);
  });

  it('carry 256 bits', () => {
    const bytes = Buffer.from(secrets.create().slice('x12_'.length), 'base64url');
    expect(bytes).toHaveLength(32);
  });

  it('are hashed with SHA-256', () => {
    const secret = `x12_${'A'.repeat(43)}`;
    if (!isTokenSecret(secret)) throw new Error('not a token');
    expect(secrets.hash(secret)).toBe('d0167d54f463ab04db155e444db76070bb4838ea5ceb7cee39b9a81cbd2505ef');
  });
});
