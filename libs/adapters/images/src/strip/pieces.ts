/** Reads up to `length` bytes from `offset`: fewer, or none, at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Buffer>;

/** A part of the new file: a range of the old one, `end` excluded, or other bytes. */
export type Piece = { readonly start: number; readonly end: number } | { readonly bytes: Buffer };

/** The file does not have the structure of its format. */
export class MalformedPicture extends Error {
  override readonly name = 'MalformedPicture';
}

/** Pieces in order; adjacent ranges of the old file become one. */
export class Pieces {
  readonly list: Piece[] = [];

  keep(start: number, end: number): void {
    const last = this.list.at(-1);
    if (last && 'end' in last && last.end === start) {
      this.list[this.list.length - 1] = { start: last.start, end };
    } else if (end > start) {
      this.list.push({ start, end });
    }
  }

  add(bytes: Buffer): void {
    this.list.push({ bytes });
  }

  get size(): number {
    return this.list.reduce((sum, piece) => sum + ('end' in piece ? piece.end - piece.start : piece.bytes.length), 0);
  }
}

/** @throws MalformedPicture when the file ends earlier */
export async function readExactly(read: ReadAt, offset: number, length: number): Promise<Buffer> {
  const bytes = await read(offset, length);
  if (bytes.length < length) throw new MalformedPicture('the file ends too early');
  return bytes;
}
