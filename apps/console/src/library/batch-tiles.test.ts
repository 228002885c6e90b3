import { expect, it } from '@jest/globals';
import type { BatchDto } from '#client';
import { withBatches } from './batch-tiles.ts';
import type { Item } from './item.ts';

const item = (id: number, batch_id: number | null) => ({ id, batch_id, name: `picture ${id}` }) as Item;
const batch = (id: number, state: BatchDto['state']) => ({ id, name: `batch ${id}`, state }) as BatchDto;
const shown = (...args: Parameters<typeof withBatches>) =>
  withBatches(...args).map((entry) => ('items' in entry ? [entry.name, entry.items.map(({ id }) => id)] : entry.id));

it('the pictures of a batch are one tile, in place of the newest', () => {
  const items = [item(9, null), item(8, 3), item(7, null), item(6, 3), item(5, 2)];
  expect(shown(items, [batch(3, 'running')])).toEqual([9, ['batch 3', [8, 6]], 7, ['picture 5', [5]]]);
});

it('an open batch has a tile in first place before its first picture, an ended one without pictures none', () => {
  expect(shown([item(1, null)], [batch(5, 'running'), batch(4, 'ended'), batch(3, 'paused')])).toEqual([
    ['batch 5', []],
    ['batch 3', []],
    1,
  ]);
});
