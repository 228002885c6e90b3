/**
 * The bytes of `chunks` in blocks of `size`, the last one shorter; one empty block if there are no bytes. Each block is
 * valid until the next one is read: all have the same memory.
 */
export async function* blocksOf(chunks: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  const block = Buffer.allocUnsafe(size);
  let filled = 0;
  let isEmpty = true;
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length;) {
      const taken = chunk.subarray(start, start + size - filled);
      block.set(taken, filled);
      filled += taken.length;
      start += taken.length;
      if (filled < size) continue;
      yield block;
      [filled, isEmpty] = [0, false];
    }
  }
  if (filled > 0 || isEmpty) yield block.subarray(0, filled);
}
