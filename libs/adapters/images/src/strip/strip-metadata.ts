import { open, rm, type FileHandle } from 'node:fs/promises';
import { pngPieces, webpPieces } from './chunk-pieces.ts';
import { gifPieces } from './gif-pieces.ts';
import { jpegPieces } from './jpeg-pieces.ts';
import { MalformedPicture, type Pieces, type ReadAt } from './pieces.ts';

const FORMATS: Readonly<Record<string, (read: ReadAt) => Promise<Pieces>>> = {
  'image/jpeg': jpegPieces,
  'image/png': pngPieces,
  'image/webp': webpPieces,
  'image/gif': gifPieces,
};

const BLOCK = 262_144;

/**
 * Writes the picture `source` without its metadata to `target`, pixels and colour profile unchanged, with at most one
 * block of it in memory.
 *
 * @returns false, without `target`, for other formats and for malformed files: such a picture has to be re-encoded
 */
export async function stripMetadata(source: string, target: string, contentType: string): Promise<boolean> {
  const piecesOf = FORMATS[contentType];
  if (!piecesOf) return false;
  await using file = await open(source);
  try {
    const pieces = await piecesOf(blockwise(file));
    await using stripped = await open(target, 'w');
    for (const piece of pieces.list) {
      if ('bytes' in piece) await stripped.write(piece.bytes);
      else await copy(file, stripped, piece.start, piece.end);
    }
    return true;
  } catch (error) {
    await rm(target, { force: true });
    if (error instanceof MalformedPicture) return false;
    throw error;
  }
}

/** Serves small reads from the last block. */
function blockwise(file: FileHandle): ReadAt {
  let start = 0;
  let block: Buffer = Buffer.alloc(0);
  return async (offset, length) => {
    if (offset < start || offset + length > start + block.length) {
      start = offset;
      block = await readAt(file, offset, Math.max(BLOCK, length));
    }
    return block.subarray(offset - start, offset - start + length);
  };
}

async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

async function copy(from: FileHandle, to: FileHandle, start: number, end: number): Promise<void> {
  for (let at = start; at < end;) {
    const bytes = await readAt(from, at, Math.min(BLOCK, end - at));
    if (bytes.length === 0) throw new MalformedPicture('the file ends too early');
    await to.write(bytes);
    at += bytes.length;
  }
}
