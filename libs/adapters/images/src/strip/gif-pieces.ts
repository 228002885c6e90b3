import { MalformedPicture, Pieces, readExactly, type ReadAt } from './pieces.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions for loops and the colour profile. */
const NEEDED = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/**
 * The pieces of a GIF without comments, texts and XMP, and without data after its end. (GIF89a.)
 *
 * @throws MalformedPicture
 */
export async function gifPieces(read: ReadAt): Promise<Pieces> {
  const head = await readExactly(read, 0, 13);
  if (!/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) throw new MalformedPicture('no GIF');
  const pieces = new Pieces();
  let at = 13 + colorTableSize(head[10]!);
  pieces.keep(0, at);
  for (;;) {
    const block = await readExactly(read, at, 1);
    if (block[0] === TRAILER) {
      pieces.keep(at, at + 1);
      return pieces;
    }
    if (block[0] === IMAGE) {
      const descriptor = await readExactly(read, at, 10);
      const end = await endOfSubBlocks(read, at + 10 + colorTableSize(descriptor[9]!) + 1);
      pieces.keep(at, end);
      at = end;
    } else if (block[0] === EXTENSION) {
      const end = await endOfSubBlocks(read, at + 2);
      if (await isNeeded(read, at)) pieces.keep(at, end);
      at = end;
    } else {
      throw new MalformedPicture('an unknown block');
    }
  }
}

function colorTableSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

async function isNeeded(read: ReadAt, at: number): Promise<boolean> {
  const [, label] = await readExactly(read, at, 2);
  if (label === GRAPHIC_CONTROL) return true;
  if (label !== APPLICATION) return false;
  return NEEDED.has((await read(at + 3, 11)).toString('latin1'));
}

async function endOfSubBlocks(read: ReadAt, offset: number): Promise<number> {
  for (let at = offset; ;) {
    const [length] = await readExactly(read, at, 1);
    at += 1 + length!;
    if (length === 0) return at;
  }
}
