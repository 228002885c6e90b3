import { describe, expect, it } from '@jest/globals';
import type { DomainError } from '#kernel';
import { chosenPassword, isTokenSecret, typedPassword, type PasswordHash } from '#identity';
import { Argon2Passwords } from './argon2-passwords.ts';
import { RandomTokenSecrets } from './random-token-secrets.ts';

describe('argon2 passwords', () => {
  const password = chosenPassword('correct horse battery staple');
  const wrong = typedPassword('wrong');

  it('are hashed with argon2id, 19 MiB and two passes, and with salt', async () => {
    const passwords = new Argon2Passwords();
    const [one, two] = await Promise.all([passwords.hash(password), passwords.hash(password)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(two).not.toBe(one);
  });

  it('are recognised by their hash, also one made elsewhere, and no other password is', async () => {
    const hash = await new Argon2Passwords().hash(password);
    const passwords = new Argon2Passwords();
    expect(await passwords.verify(password, hash)).toBe(true);
    for (const other of ['', 'correct horse battery stapl', 'Correct horse battery staple', hash]) {
      expect(await passwords.verify(typedPassword(other), hash)).toBe(false);
    }
  });

  it('are compared over their whole length, and in every script', async () => {
    const passwords = new Argon2Passwords();
    const long = chosenPassword('пароль🔑'.repeat(18) + 'ab');
    const hash = await passwords.hash(long);
    expect(await passwords.verify(long, hash)).toBe(true);
    expect(await passwords.verify(typedPassword(long.slice(0, -1) + 'c'), hash)).toBe(false);
  });

  it.each([
    ['1234567890', true],
    ['password1234', true],
    ['PassWord1234', true],
    ['correct horse battery staple', false],
  ])('%s is a common one: %p', (text, isCommon) => {
    expect(new Argon2Passwords().isCommon(chosenPassword(text))).toBe(isCommon);
  });

  it('never match an unknown user', async () => {
    const passwords = new Argon2Passwords();
    for (const text of ['', 'null', password]) expect(await passwords.verify(typedPassword(text), null)).toBe(false);
  });

  it('of unknown users take as long as wrong passwords', async () => {
    const passwords = new Argon2Passwords(1);
    const hash = await passwords.hash(password);
    await passwords.verify(wrong, null);
    const verified: string[] = [];
    const verify = async (whose: string, of: PasswordHash | null) => {
      await passwords.verify(wrong, of);
      verified.push(whose);
    };
    await Promise.all([verify('somebody', hash), verify('nobody', null), verify('somebody', hash)]);
    expect(verified).toEqual(['somebody', 'nobody', 'somebody']);
  });

  it.each([
    ['as many wait as may', 3, [true, true, true]],
    ['more wait than may', 2, [true, true, 'unavailable']],
  ])('are refused as unavailable only where %s', async (_case, maxWaiting, expected) => {
    const passwords = new Argon2Passwords(1, maxWaiting - 1);
    const hash = await passwords.hash(password);
    await passwords.verify(password, hash);
    const results = [1, 2, 3].map(() => passwords.verify(password, hash).catch(({ code }: DomainError) => code));
    expect(await Promise.all(results)).toEqual(expected);
  });

  it('are all verified, if they may wait, however many come at once', async () => {
    const passwords = new Argon2Passwords(1);
    const hash = await passwords.hash(password);
    const broken = passwords.verify(password, 'no hash' as PasswordHash);
    const results = Array.from({ length: 6 }, (_, index) => passwords.verify(index % 2 ? password : wrong, hash));
    await expect(broken).rejects.toThrow();
    expect(await Promise.all(results)).toEqual([false, true, false, true, false, true]);
  });
});

describe('random token secrets', () => {
  const secrets = new RandomTokenSecrets();

  it('have the format of a token with 256 bits, and never repeat', () => {
    const made = Array.from({ length: 1000 }, () => secrets.create());
    expect(made.every(isTokenSecret)).toBe(true);
    expect(new Set(made).size).toBe(1000);
    expect(Buffer.from(made[0]!.slice('x12_'.length), 'base64url')).toHaveLength(32);
  });

  it('are hashed with SHA-256', () => {
    const secret = `x12_${'A'.repeat(43)}`;
    if (!isTokenSecret(secret)) throw new Error('not a token');
    expect(secrets.hash(secret)).toBe('d0167d54f463ab04db155e444db76070bb4838ea5ceb7cee39b9a81cbd2505ef');
  });
});
