import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromBufferPromise, validateFileName } from 'yauzl';
import type { ArchiveEntry } from '#export';
import { readZip } from '../../../../test/support/read-zip.ts';
import { ZipArchives } from './zip-archives.ts';
import { dataDescriptor, directoryEnd, directoryRecord } from './zip-records.ts';

const modifiedAt = new Date('2026-11-25T12:34:56Z');

interface Given {
  readonly path: string;
  readonly chunks: readonly Uint8Array[];
  readonly isCompressed: boolean;
}

async function zipOf(given: readonly Given[]): Promise<Buffer> {
  const entries = async function* (): AsyncGenerator<ArchiveEntry> {
    for (const { chunks, ...entry } of given) {
      yield { ...entry, modifiedAt, chunks: Readable.from(chunks, { objectMode: true }) };
    }
  };
  return buffer(new ZipArchives().zip(entries()));
}

const entry = fc.record({
  path: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter((path) => validateFileName(path) === null),
  chunks: fc.array(fc.uint8Array({ minLength: 1, maxLength: 2000 }), { maxLength: 5 }),
  isCompressed: fc.boolean(),
});

describe('a zip', () => {
  it('has the bytes of each entry, compressed or as they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 8 }), async (given) => {
        const zip = await zipOf(given);
        expect(await readZip(zip)).toEqual(
          given.map(({ path, chunks, isCompressed }) => ({ path, bytes: Buffer.concat(chunks), isCompressed })),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('has the CRC and the sizes of an entry after its bytes', async () => {
    const bytes = Buffer.from('some text');
    const zip = await zipOf([{ path: 'a', chunks: [bytes.subarray(0, 4), bytes.subarray(4)], isCompressed: false }]);
    const descriptor = zip.indexOf(Buffer.from([0x50, 0x4b, 7, 8]));
    expect(zip.readUInt32LE(descriptor + 4)).toBe(crc32(bytes));
    expect([zip.readBigUInt64LE(descriptor + 8), zip.readBigUInt64LE(descriptor + 16)]).toEqual([9n, 9n]);
  });

  it('is made on Unix, where names are UTF-8 for Info-ZIP too, with the mode of a file', async () => {
    const zip = await zipOf([{ path: 'Füchse/狐 🦊.png', chunks: [Buffer.from('text')], isCompressed: false }]);
    const archive = await fromBufferPromise(zip, { lazyEntries: true });
    for await (const { fileName, versionMadeBy, externalFileAttributes } of archive.eachEntry()) {
      expect([fileName, versionMadeBy >> 8]).toEqual(['Füchse/狐 🦊.png', 3]);
      expect(externalFileAttributes >>> 16).toBe(0o100644);
    }
    expect(archive.entriesRead).toBe(1);
  });

  it('fails with the error of an entry, compressed or not', async () => {
    const failing = async function* () {
      yield Buffer.alloc(10);
      throw new Error('the bytes stopped');
    };
    for (const isCompressed of [true, false]) {
      const entries = async function* (): AsyncGenerator<ArchiveEntry> {
        yield { path: 'a', modifiedAt, isCompressed, chunks: failing() };
      };
      await expect(buffer(new ZipArchives().zip(entries()))).rejects.toThrow('the bytes stopped');
    }
  });

  it('writes numbers of 4 GB and more into ZIP64 fields, and smaller ones as they are', () => {
    const facts = { path: 'a', modifiedAt, isCompressed: false, crc: 1, offset: 7 };
    const limit = 0xffff_ffff;
    const below = directoryRecord({ ...facts, size: limit - 1, packedSize: limit - 1 });
    expect([below.length, below.readUInt32LE(24)]).toEqual([47, limit - 1]);
    const above = directoryRecord({ ...facts, size: limit, packedSize: limit });
    expect(above.length).toBe(47 + 4 + 16);
    expect([above.readUInt32LE(20), above.readUInt32LE(24), above.readUInt32LE(42)]).toEqual([limit, limit, 7]);
    expect(above.readBigUInt64LE(51)).toBe(BigInt(limit));
    const far = directoryRecord({ ...facts, size: 1, packedSize: 1, offset: 5e9 });
    expect([far.length, far.readBigUInt64LE(51)]).toEqual([47 + 4 + 8, 5_000_000_000n]);
    expect(dataDescriptor({ ...facts, size: 5e9, packedSize: 5e9 }).readBigUInt64LE(16)).toBe(5_000_000_000n);
  });

  it('has a ZIP64 end from 65,535 entries or 4 GB on', () => {
    const small = directoryEnd({ count: 65_534, size: 10, offset: 0xffff_fffe });
    expect([small.length, small.readUInt16LE(10)]).toEqual([22, 65_534]);
    for (const large of [
      { count: 65_535, size: 10, offset: 20 },
      { count: 1, size: 10, offset: 0xffff_ffff },
    ]) {
      const end = directoryEnd(large);
      expect(end.length).toBe(56 + 20 + 22);
      const numbers = [end.readBigUInt64LE(32), end.readBigUInt64LE(40), end.readBigUInt64LE(48)];
      expect(numbers).toEqual([large.count, large.size, large.offset].map(BigInt));
    }
  });
});
