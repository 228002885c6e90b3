import { MalformedPicture, Pieces, readExactly, type ReadAt } from './pieces.ts';

const NEEDED = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Of the flags in VP8X, those that announce EXIF and XMP. */
const METADATA_FLAGS = 0x08 | 0x04;

/**
 * A WebP without EXIF, XMP and unknown chunks, and without whatever follows its end. (RFC 9649.)
 *
 * @throws MalformedPicture
 */
export async function webpPieces(read: ReadAt): Promise<Pieces> {
  const head = await readExactly(read, 0, 12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WEBP') {
    throw new MalformedPicture('no WebP');
  }
  const end = 8 + head.readUInt32LE(4);
  await readExactly(read, end - 1, 1);
  const chunks = new Pieces();
  for (let at = 12; at + 8 <= end;) {
    const chunk = await readExactly(read, at, 8);
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    const next = at + 8 + length + (length % 2);
    if (type === 'VP8X') {
      const extended = Buffer.from(await readExactly(read, at, next - at));
      extended[8]! &= ~METADATA_FLAGS;
      chunks.add(extended);
    } else if (NEEDED.has(type)) {
      chunks.keep(at, next);
    }
    at = next;
  }
  const newHead = Buffer.from(head);
  newHead.writeUInt32LE(chunks.size + 4, 4);
  const pieces = new Pieces();
  pieces.add(newHead);
  for (const piece of chunks.toArray()) {
    if ('bytes' in piece) pieces.add(piece.bytes);
    else pieces.keep(piece.start, piece.end);
  }
  return pieces;
}
