import { describe, expect, it } from '@jest/globals';
import { Places } from './picture-processes.ts';

describe('Places', () => {
  /** Work that says when it begins, and ends when it is told to. */
  const workIn = (begun: string[]) => (name: string) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    return {
      end: () => resolve(name),
      run: () => {
        begun.push(name);
        return promise;
      },
    };
  };
  const soon = () => new Promise((resolve) => setImmediate(resolve));

  it('are as many as there are, in the order in which they were asked for', async () => {
    const begun: string[] = [];
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(workIn(begun));
    const places = new Places(2);
    const done = [a!, b!, c!, d!].map((work) => places.onOne(work.run));
    await soon();
    expect(begun).toEqual(['a', 'b']);
    b!.end();
    await soon();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const work of [a!, c!, d!]) work.end();
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('can all be had by one, who waits for the others and is not overtaken', async () => {
    const begun: string[] = [];
    const [a, all, b] = ['a', 'all', 'b'].map(workIn(begun));
    const places = new Places(2);
    const done = [places.onOne(a!.run), places.onAll(all!.run), places.onOne(b!.run)];
    await soon();
    expect(begun).toEqual(['a']);
    a!.end();
    await soon();
    expect(begun).toEqual(['a', 'all']);
    all!.end();
    await soon();
    expect(begun).toEqual(['a', 'all', 'b']);
    b!.end();
    await Promise.all(done);
  });

  it('are given back by work that fails', async () => {
    const places = new Places(1);
    const failure = new Error('it went wrong');
    await expect(places.onOne(() => Promise.reject(failure))).rejects.toBe(failure);
    await expect(places.onAll(() => Promise.reject(failure))).rejects.toBe(failure);
    await expect(places.onOne(async () => 'done')).resolves.toBe('done');
  });
});
