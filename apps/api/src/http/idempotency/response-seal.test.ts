import { describe, expect, it } from '@jest/globals';
import { ResponseSeal } from './response-seal.ts';

describe('the seal of a kept response', () => {
  const text = '{"status":true,"token":"x12_secret"}';

  it('is opened with its own key, and contains nothing readable', () => {
    const sealed = new ResponseSeal('token', 'key').seal(text);
    expect(sealed.includes('secret')).toBe(false);
    expect(new ResponseSeal('token', 'key').open(sealed)).toBe(text);
  });

  it.each([
    ['another token', new ResponseSeal('other', 'key')],
    ['another key', new ResponseSeal('token', 'other')],
  ])('is not opened by %s', (_, other) => {
    const seal = new ResponseSeal('token', 'key');
    expect(() => other.open(seal.seal(text))).toThrow();
    expect(other.hashOf('request')).not.toEqual(seal.hashOf('request'));
  });

  it('is not opened once it was tampered with', () => {
    const seal = new ResponseSeal('token', 'key');
    const sealed = seal.seal(text);
    sealed[sealed.length - 1]! ^= 1;
    expect(() => seal.open(sealed)).toThrow();
  });

  it('comes from the body where there is no token', async () => {
    const seal = await ResponseSeal.ofBody('body', 'key');
    expect((await ResponseSeal.ofBody('body', 'key')).open(seal.seal(text))).toBe(text);
    const other = await ResponseSeal.ofBody('other body', 'key');
    expect(() => other.open(seal.seal(text))).toThrow();
  });
});
