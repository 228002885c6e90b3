import { readSync } from 'node:fs';

/** Length of one read. */
export const BLOCK = 262_144;
/** Maximum pages or frames of a picture. */
export const MAX_PAGES = 2_000;
/** Maximum reads of one file. Pictures have a few thousand parts at most. */
const MAX_READS = 500_000;

/** A part of a file; `end` is excluded. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part of the source, or bytes that replace a part. */
export type Piece = Range | Buffer;

/**
 * The parts of a picture that are needed to render it, in order.
 *
 * @throws UnreadablePicture when the file does not have the structure of its format
 */
export type NeededPieces = (file: Reader) => readonly Piece[];

export class UnreadablePicture extends Error {
  override readonly name: string = 'UnreadablePicture';
}

/** The picture exceeds a limit. It may be valid. */
export class PictureTooLarge extends UnreadablePicture {
  override readonly name = 'PictureTooLarge';
}

/** Serves small reads from the last block. Synchronous because a file can have a part every few bytes. */
export class Reader {
  #start = 0;
  #block: Buffer = Buffer.alloc(0);
  #reads = 0;

  constructor(private readonly descriptor: number) {}

  /** Returns fewer bytes than `length`, or none, at the end of the file. */
  upTo(offset: number, length: number): Buffer {
    if (++this.#reads > MAX_READS) throw new UnreadablePicture('too many parts');
    this.#load(offset, length);
    return this.#block.subarray(offset - this.#start, offset - this.#start + length);
  }

  /** @throws UnreadablePicture when the file ends earlier */
  exactly(offset: number, length: number): Buffer {
    const bytes = this.upTo(offset, length);
    if (bytes.length < length) throw new UnreadablePicture('the file ends too early');
    return bytes;
  }

  /**
   * Fills `target` with the bytes from `offset` on, and returns it.
   *
   * @throws UnreadablePicture when the file ends earlier
   */
  into(target: Buffer, offset: number): Buffer {
    const length = readSync(this.descriptor, target, 0, target.length, offset);
    if (length < target.length) throw new UnreadablePicture('the file ends too early');
    return target;
  }

  /** Returns one byte, at little cost; `undefined` after the end. */
  byte(offset: number): number | undefined {
    this.#load(offset, 1);
    return this.#block[offset - this.#start];
  }

  #load(offset: number, length: number): void {
    if (offset >= this.#start && offset + length <= this.#start + this.#block.length) return;
    if (!Number.isSafeInteger(offset + length)) throw new UnreadablePicture('an offset after the end');
    const buffer = Buffer.allocUnsafe(Math.max(BLOCK, length));
    this.#block = buffer.subarray(0, readSync(this.descriptor, buffer, 0, buffer.length, offset));
    this.#start = offset;
  }
}
