import { expect, it } from '@jest/globals';
import { eachOf } from './each-of.ts';

const soon = () => new Promise((resolve) => setTimeout(resolve));

it('eachOf starts no further item after an item was refused', async () => {
  const asked: number[] = [];
  const ask = async (item: number) => {
    asked.push(item);
    await soon();
    if (item === 1) throw new Error('refused');
  };
  await expect(eachOf([1, 2, 3, 4, 5, 6, 7, 8], ask)).rejects.toThrow('refused');
  for (let turn = 0; turn < 5; turn++) await soon();
  expect(asked).toEqual([1, 2, 3, 4]);
});
