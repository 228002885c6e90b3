import { describe, expect, it } from '@jest/globals';
import { chosenPassword, typedPassword } from '#identity';
import { passwordsContract } from '#testing/identity';
import { Argon2Passwords } from './argon2-passwords.ts';

passwordsContract('argon2', () => new Argon2Passwords());

describe('argon2 passwords', () => {
  const password = chosenPassword('correct horse battery staple');

  it('are hashed with argon2id, 19 MiB and two passes, and with salt', async () => {
    const passwords = new Argon2Passwords();
    const [one, two] = await Promise.all([passwords.hash(password), passwords.hash(password)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(two).not.toBe(one);
  });

  it('take the same time for nobody as for a wrong password', async () => {
    const passwords = new Argon2Passwords();
    const hash = await passwords.hash(password);
    const wrong = typedPassword('wrong');
    const times = { nobody: [] as number[], somebody: [] as number[] };
    for (let round = 0; round < 15; round++) {
      times.nobody.push(await time(() => passwords.verify(wrong, null)));
      times.somebody.push(await time(() => passwords.verify(wrong, hash)));
    }
    const ratio = median(times.nobody) / median(times.somebody);
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.4);
  });

  it('are all answered, however many come at once', async () => {
    const passwords = new Argon2Passwords(1);
    const hash = await passwords.hash(password);
    const broken = passwords.verify(password, 'no hash' as typeof hash);
    const answers = Array.from({ length: 6 }, (_, index) =>
      passwords.verify(index % 2 ? password : typedPassword('wrong'), hash),
    );
    await expect(broken).rejects.toThrow();
    expect(await Promise.all(answers)).toEqual([false, true, false, true, false, true]);
  });
});

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
