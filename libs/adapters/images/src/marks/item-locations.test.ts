import { describe, expect, it } from '@jest/globals';
import { ItemLocations } from './item-locations.ts';

/** A table of numbers of four bytes without bases: items of one id and one or more parts, each an offset and a length. */
function tableOf(...items: readonly [id: number, ...parts: readonly [number, number][]][]): Buffer {
  const written = items.map(([id, ...parts]) => {
    const item = Buffer.alloc(6 + 8 * parts.length);
    item.writeUInt16BE(id, 0);
    item.writeUInt16BE(parts.length, 4);
    parts.flat().forEach((number, index) => item.writeUInt32BE(number, 6 + 4 * index));
    return item;
  });
  const head = Buffer.from('000000004400', 'hex');
  return Buffer.concat([head, Buffer.from([0, items.length]), ...written]);
}

describe('the table of the places of items', () => {
  const TABLES = { start: 100, end: 200 };
  const added = { id: 9, start: 500, length: 20 };
  const write = (table: Buffer, shift = 30) => ItemLocations.read(table)!.write(added, TABLES, shift);

  it('moves what is behind the tables, leaves what is before, and has the new item', () => {
    const written = write(tableOf([1, [200, 50], [300, 10]], [2, [50, 50]]));
    expect(written).toEqual(tableOf([1, [230, 50], [330, 10]], [2, [50, 50]], [9, [500, 20]]));
    expect(ItemLocations.read(written!)!.placeOf(9)).toEqual({ start: 500, end: 520 });
  });

  it('gives an item that is there a new place', () => {
    expect(write(tableOf([9, [300, 10]]))).toEqual(tableOf([9, [500, 20]]));
  });

  it.each([
    ['is within the tables', tableOf([1, [199, 5]])],
    ['reaches into them', tableOf([1, [99, 2]])],
    ['is on both sides', tableOf([1, [50, 5], [300, 5]])],
    ['goes on to the end', tableOf([1, [300, 0]])],
    ['would move too far', tableOf([1, [0xffff_fff0, 5]])],
  ])('is not written where an item %s', (_, table) => {
    expect(write(table)).toBeNull();
  });

  it.each([
    ['ends too early', tableOf([1, [300, 5]]).subarray(0, -1)],
    ['is of a later version', Buffer.concat([Buffer.from([2]), tableOf([1, [300, 5]]).subarray(1)])],
    ['has numbers of another size', Buffer.from('0000000022000000', 'hex')],
  ])('is not read when it %s', (_, table) => {
    expect(ItemLocations.read(table)).toBeNull();
  });
});
