import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf } from './blocks.ts';

const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });

it('divides the bytes of chunks into blocks of one size, and a shorter last one', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 50 }), async (given, size) => {
      const blocks: Buffer[] = [];
      for await (const block of blocksOf(each(given), size)) blocks.push(Buffer.from(block));
      expect(Buffer.concat(blocks).equals(Buffer.concat(given))).toBe(true);
      expect(blocks.slice(0, -1).every(({ length }) => length === size)).toBe(true);
      const total = Buffer.concat(given).length;
      expect(blocks).toHaveLength(Math.max(1, Math.ceil(total / size)));
    }),
  );
});

async function* each(items: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* items;
}
