import { MalformedPicture, Pieces, readExactly, type ReadAt } from './pieces.ts';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks that rendering needs; times, texts and EXIF are not among them. */
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP mDCV cLLI sBIT sRGB bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);

/**
 * The pieces of a PNG without texts, times and EXIF, and without data after its end. (W3C PNG, third edition.)
 *
 * @throws MalformedPicture
 */
export async function pngPieces(read: ReadAt): Promise<Pieces> {
  if (!(await readExactly(read, 0, 8)).equals(PNG_SIGNATURE)) throw new MalformedPicture('no PNG');
  const pieces = new Pieces();
  pieces.keep(0, 8);
  for (let at = 8; ;) {
    const head = await readExactly(read, at, 8);
    const type = head.toString('latin1', 4);
    const end = at + 12 + head.readUInt32BE();
    if (PNG_CHUNKS.has(type)) pieces.keep(at, end);
    if (type === 'IEND') return pieces;
    at = end;
  }
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** The flags of EXIF and XMP in VP8X. */
const METADATA_FLAGS = 0x08 | 0x04;

/**
 * The pieces of a WebP without EXIF, XMP and unknown chunks, and without data after its end. (RFC 9649.)
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
  const pieces = new Pieces();
  const newHead = Buffer.from(head);
  pieces.add(newHead);
  for (let at = 12; at + 8 <= end;) {
    const chunk = await readExactly(read, at, 8);
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    const next = at + 8 + length + (length % 2);
    if (type === 'VP8X') {
      const extended = Buffer.from(await readExactly(read, at, next - at));
      extended[8]! &= ~METADATA_FLAGS;
      pieces.add(extended);
    } else if (WEBP_CHUNKS.has(type)) {
      pieces.keep(at, next);
    }
    at = next;
  }
  newHead.writeUInt32LE(pieces.size - 8, 4);
  return pieces;
}
