import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { ArchiveEntry, Archives } from '#export';
import { dataDescriptor, directoryEnd, directoryRecord, localHeader, type WrittenEntry } from './zip-records.ts';

/** Count of the bytes that were read of an entry. */
interface Tally {
  size: number;
  crc: number;
}

/** Zips whose entries may be larger than 4 GB, and are not known before they are written. */
export class ZipArchives implements Archives {
  async *zip(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
    const directory: Buffer[] = [];
    let offset = 0;
    for await (const entry of entries) {
      const header = localHeader(entry);
      yield header;
      const tally: Tally = { size: 0, crc: 0 };
      let packedSize = 0;
      for await (const chunk of packed(entry, tally)) {
        packedSize += chunk.length;
        yield chunk;
      }
      const written: WrittenEntry = { ...entry, ...tally, packedSize, offset };
      const descriptor = dataDescriptor(written);
      yield descriptor;
      directory.push(directoryRecord(written));
      offset += header.length + packedSize + descriptor.length;
    }
    yield* directory;
    const size = directory.reduce((sum, { length }) => sum + length, 0);
    yield directoryEnd({ count: directory.length, size, offset });
  }
}

function packed({ chunks, isCompressed }: ArchiveEntry, tally: Tally): AsyncIterable<Uint8Array> {
  const read = tallied(chunks, tally);
  if (!isCompressed) return read;
  // The reader of the compressed stream gets its errors.
  return pipeline(Readable.from(read, { objectMode: false }), createDeflateRaw(), () => undefined);
}

async function* tallied(chunks: AsyncIterable<Uint8Array>, tally: Tally): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    tally.size += chunk.length;
    tally.crc = crc32(chunk, tally.crc);
    yield chunk;
  }
}
