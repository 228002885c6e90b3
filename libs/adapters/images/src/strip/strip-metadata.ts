import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pngPieces, webpPieces } from './chunks.ts';
import { gifPieces } from './gif.ts';
import { jpegPieces } from './jpeg.ts';
import { BLOCK, Reader, type NeededPieces, type Piece } from './reader.ts';
import { tiffPieces } from './tiff.ts';

const FORMATS: Readonly<Record<string, NeededPieces>> = {
  'image/jpeg': jpegPieces,
  'image/png': pngPieces,
  'image/webp': webpPieces,
  'image/gif': gifPieces,
  'image/tiff': tiffPieces,
};

/**
 * Writes the picture `source` to `target` without metadata other than its orientation and a well-formed, small colour
 * profile. Pixels are unchanged; only the first page of a TIFF is kept. The time is proportional to the file size.
 *
 * @throws UnreadablePicture for a malformed file
 */
export async function stripMetadata(source: string, target: string, contentType: string): Promise<void> {
  await using file = await open(source);
  const reader = new Reader(file.fd);
  const { size } = await file.stat();
  await writePieces(reader, size, joined(FORMATS[contentType]!(reader)), target);
}

/**
 * Synchronous as the reader is: a picture process has one task.
 *
 * @param size of the file that the ranges are of, in bytes
 */
export async function writePieces(
  reader: Reader,
  size: number,
  pieces: readonly Piece[],
  target: string,
): Promise<void> {
  await using written = await open(target, 'w');
  // One for all blocks: collecting a buffer a block took longer than copying them.
  const block = Buffer.allocUnsafe(BLOCK);
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) writeFileSync(written.fd, piece);
    else {
      const end = piece.end === Infinity ? size : piece.end;
      for (let at = piece.start; at < end; at += BLOCK) {
        writeFileSync(written.fd, reader.into(block.subarray(0, Math.min(BLOCK, end - at)), at));
      }
    }
  }
}

/** Adjacent ranges become one. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const list: Piece[] = [];
  for (const piece of pieces) {
    const last = list.at(-1);
    if (last && !Buffer.isBuffer(last) && !Buffer.isBuffer(piece) && last.end === piece.start) {
      list[list.length - 1] = { start: last.start, end: piece.end };
    } else list.push(piece);
  }
  return list;
}
