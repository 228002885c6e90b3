import { expect, it } from '@jest/globals';
import { Lookup } from './lookup.ts';

it('asks for what is wanted together by calls of at most so many keys, for each key once', async () => {
  const calls: (readonly string[])[] = [];
  const lookup = new Lookup<string>(2, async (keys) => {
    calls.push(keys);
    return keys.map((key) => key.toUpperCase());
  });
  expect(await Promise.all(['a', 'b', 'a', 'c'].map((key) => lookup.find(key)))).toEqual(['A', 'B', 'A', 'C']);
  expect(calls).toEqual([['a', 'b'], ['c']]);
  expect(await lookup.find('a')).toBe('A');
});

it('fails for the keys of a call that failed, and asks again later', async () => {
  let fails = true;
  const lookup = new Lookup<string>(1, async ([key]) => {
    if (fails && key === 'a') throw new Error('away');
    return [key!];
  });
  const found = await Promise.allSettled([lookup.find('a'), lookup.find('b')]);
  expect(found.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  fails = false;
  expect(await lookup.find('a')).toBe('a');
});
