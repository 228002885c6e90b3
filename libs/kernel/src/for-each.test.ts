import { describe, expect, it } from '@jest/globals';
import { forEach } from './for-each.ts';

const soon = () => new Promise((resolve) => setTimeout(resolve));

describe('forEach', () => {
  it('runs as many items at once as the limit allows, and each item once', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await forEach(new Set([1, 2, 3, 4, 5]), 2, async (item) => {
      most = Math.max(most, ++running);
      await soon();
      running--;
      done.push(item);
    });
    expect(done).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('starts no further item after one has failed, and throws the first failure', async () => {
    const started: number[] = [];
    const work = async (item: number) => {
      started.push(item);
      await soon();
      if (item === 1) throw new Error('item 1 failed');
    };
    await expect(forEach([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('item 1 failed');
    for (let turn = 0; turn < 5; turn++) await soon();
    expect(started).toEqual([1, 2]);
  });
});
