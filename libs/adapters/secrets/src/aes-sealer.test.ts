import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Sealed } from '#kernel';
import { AesSealer } from './aes-sealer.ts';

const newKey = () => randomBytes(32).toString('base64');
const [one, other] = [newKey(), newKey()];
const sealerOf = (current: string | null, previous: string | null = null) =>
  new AesSealer(() => ({ current, previous }));
const sealer = sealerOf(one);
const secret = Buffer.from('twenty bytes of TOTP');
const refusal = (message: string) =>
  expect.objectContaining({ code: 'unavailable', message: expect.stringMatching(message) });

describe('a sealed secret', () => {
  it('opens with its key and context only, and differs each time', () => {
    const [first, second] = [sealer.seal(secret, 'of user 1'), sealer.seal(secret, 'of user 1')];
    expect(first).not.toBe(second);
    for (const sealed of [first, second]) expect(Buffer.from(sealer.open(sealed, 'of user 1'))).toEqual(secret);
    expect(() => sealer.open(first, 'of user 2')).toThrow(refusal('damaged'));
  });

  it('contains its format and the id of its key, and reveals neither key nor secret', () => {
    const sealed = sealer.seal(secret, '');
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{64}$/);
    const shown = sealed
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join();
    expect(shown).not.toContain(secret.toString());
    expect(shown).not.toContain(Buffer.from(one, 'base64').toString('latin1').slice(0, 4));
  });

  it('opens with the previous key after a rotation, and is no longer current', () => {
    const sealed = sealer.seal(secret, 'a');
    const rotated = sealerOf(other, one);
    expect(Buffer.from(rotated.open(sealed, 'a'))).toEqual(secret);
    expect([sealer.isCurrent(sealed), rotated.isCurrent(sealed)]).toEqual([true, false]);
    expect(rotated.isCurrent(rotated.seal(secret, 'a'))).toBe(true);
  });

  it('fails with different messages for a missing key, another key and damage', () => {
    const sealed = sealer.seal(secret, 'a');
    expect(() => sealerOf(null).open(sealed, 'a')).toThrow(refusal('^SECRET_KEY is not set'));
    expect(() => sealerOf(other).open(sealed, 'a')).toThrow(refusal('^SECRET_KEY is another one'));
    const damaged = [`${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`, sealed.slice(0, 30), 'v2.a.b', ''];
    for (const text of damaged) expect(() => sealer.open(text as Sealed, 'a')).toThrow(refusal('damaged'));
  });

  it('cannot be made without a key', () => {
    expect(() => sealerOf(null).seal(secret, 'a')).toThrow(refusal('^SECRET_KEY is not set'));
  });

  it('opens with its key in base64 without padding and in base64url', () => {
    const sealed = sealer.seal(secret, 'a');
    for (const key of [one.replace('=', ''), Buffer.from(one, 'base64').toString('base64url')]) {
      expect(Buffer.from(sealerOf(key).open(sealed, 'a'))).toEqual(secret);
    }
  });
});
