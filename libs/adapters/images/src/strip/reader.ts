import type { FileHandle } from 'node:fs/promises';

/** Maximum length of one read. */
export const BLOCK = 262_144;

/** A part of a file; `end` is excluded. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Yields the parts of a picture that are needed to render it, in order.
 *
 * @throws MalformedPicture
 */
export type NeededRanges = (file: Reader) => AsyncGenerator<Range, void>;

/** The file does not have the structure of its format. */
export class MalformedPicture extends Error {
  override readonly name = 'MalformedPicture';
}

/** Serves small reads from the last block. */
export class Reader {
  #start = 0;
  #block: Buffer = Buffer.alloc(0);

  constructor(private readonly file: FileHandle) {}

  /** Fewer bytes than `length`, or none, at the end of the file. */
  async upTo(offset: number, length: number): Promise<Buffer> {
    if (offset < this.#start || offset + length > this.#start + this.#block.length) {
      const { buffer, bytesRead } = await this.file.read(Buffer.allocUnsafe(BLOCK), 0, BLOCK, offset);
      this.#start = offset;
      this.#block = buffer.subarray(0, bytesRead);
    }
    return this.#block.subarray(offset - this.#start, offset - this.#start + length);
  }

  /** @throws MalformedPicture when the file ends earlier */
  async exactly(offset: number, length: number): Promise<Buffer> {
    const bytes = await this.upTo(offset, length);
    if (bytes.length < length) throw new MalformedPicture('the file ends too early');
    return bytes;
  }
}
