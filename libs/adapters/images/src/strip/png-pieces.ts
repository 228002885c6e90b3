import { MalformedPicture, Pieces, readExactly, type ReadAt } from './pieces.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks that say how the picture looks; times, texts and EXIF are not among them. */
const NEEDED = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP mDCV cLLI sBIT sRGB bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);

/**
 * A PNG without its texts, times and EXIF, and without whatever follows its end. (W3C PNG, third edition.)
 *
 * @throws MalformedPicture
 */
export async function pngPieces(read: ReadAt): Promise<Pieces> {
  if (!(await readExactly(read, 0, 8)).equals(SIGNATURE)) throw new MalformedPicture('no PNG');
  const pieces = new Pieces();
  pieces.keep(0, 8);
  for (let at = 8; ;) {
    const head = await readExactly(read, at, 8);
    const type = head.toString('latin1', 4);
    const end = at + 12 + head.readUInt32BE();
    if (NEEDED.has(type)) pieces.keep(at, end);
    if (type === 'IEND') return pieces;
    at = end;
  }
}
