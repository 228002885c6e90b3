import { describe, expect, it } from '@jest/globals';
import { KeyedSemaphore, Semaphore } from './semaphore.ts';

describe('Semaphore', () => {
  it.each([
    ['admits work in the order of the requests', 'a b c d', '→ a b', 'b → a b c', 'a → a b c d'],
    [
      'admits work that needs all permits, which later work does not overtake',
      'a all b',
      '→ a',
      'a → a all',
      'all → a all b',
    ],
  ])('%s', async (_rule, names, ...steps) => {
    const semaphore = new Semaphore(2);
    const begun: string[] = [];
    const end = new Map<string, () => void>();
    for (const name of names.split(' ')) {
      const work = () => {
        begun.push(name);
        return new Promise<void>((resolve) => end.set(name, resolve));
      };
      void semaphore.on(name === 'all' ? semaphore.all : 1, work);
    }
    for (const step of steps) {
      const [ended, expected] = step.split('→').map((side) => side.trim());
      end.get(ended!)?.();
      await new Promise(setImmediate);
      expect(begun.join(' ')).toBe(expected);
    }
  });

  it('releases the permits of failed work', async () => {
    const semaphore = new Semaphore(1);
    const failure = new Error('it went wrong');
    await expect(semaphore.on(1, () => Promise.reject(failure))).rejects.toBe(failure);
    await expect(semaphore.on(1, async () => 'done')).resolves.toBe('done');
  });

  it.each([
    ['one may wait', 1, 'a b'],
    ['nobody may wait', 0, 'a'],
  ])('refuses work with `unavailable` while as many wait as may: %s', async (_case, maxWaiting, done) => {
    const semaphore = new Semaphore(1, maxWaiting);
    const held = Promise.withResolvers<void>();
    const ended: string[] = [];
    const work = (name: string) => semaphore.on(1, () => held.promise).then(() => ended.push(name));
    const results = ['a', 'b', 'c'].map((name) => work(name));
    await expect(results[2]).rejects.toMatchObject({ code: 'unavailable' });
    held.resolve();
    await Promise.allSettled(results);
    expect(ended.join(' ')).toBe(done);
    expect(semaphore.isIdle).toBe(true);
  });
});

describe('KeyedSemaphore', () => {
  it('admits work of one key while others of another key wait', async () => {
    const semaphore = new KeyedSemaphore<string>(1);
    const held = Promise.withResolvers<void>();
    const begun: string[] = [];
    const work = (name: string, key: string) =>
      semaphore.on(key, async () => {
        begun.push(name);
        await held.promise;
      });
    const all = [work('a1', 'a'), work('a2', 'a'), work('b1', 'b')];
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'b1']);
    held.resolve();
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });
});
