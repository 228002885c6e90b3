import { statfs } from 'node:fs/promises';
import { DomainError } from '#kernel';

/** Bytes that a stream writes between two checks of the free space. */
const CHECK_EVERY_BYTES = 4 * 1024 * 1024;

/** Bytes that this account can still write to the disk of a folder. */
export async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Reserves space on the disk for the database, which can't even recover on a full disk. Uploads of clients are refused at
 * the reserve, files of the service at half of it, so that accepted work can be completed.
 */
export class DiskReserve {
  /** @param free returns the bytes that can still be written */
  constructor(
    private readonly bytes: number,
    private readonly free: () => Promise<number>,
  ) {}

  /** @throws DomainError `unavailable` when the reserve is reached */
  async require(part: 'all' | 'half' = 'all'): Promise<void> {
    if (this.bytes === 0) return;
    // A disk that does not respond fails the write itself, with its own reason.
    const free = await this.free().catch(() => Infinity);
    if (free < (part === 'all' ? this.bytes : this.bytes / 2)) throw diskFull();
  }

  /** The same chunks; fails with `unavailable` as soon as the reserve is reached. */
  async *guard(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    await this.require();
    let unchecked = 0;
    for await (const chunk of chunks) {
      unchecked += chunk.length;
      if (unchecked >= CHECK_EVERY_BYTES) {
        await this.require();
        unchecked = 0;
      }
      yield chunk;
    }
  }
}

function diskFull(): DomainError {
  return new DomainError('unavailable', 'the disk of the service is full: try again when its operator has made space');
}
