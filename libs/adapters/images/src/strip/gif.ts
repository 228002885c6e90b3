import { MalformedPicture, type Range, type Reader } from './reader.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions for loops and the colour profile. */
const NEEDED = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/** A GIF without comments, texts and XMP, and without data after its end. (GIF89a.) */
export async function* gifRanges(file: Reader): AsyncGenerator<Range, void> {
  const head = await file.exactly(0, 13);
  if (!/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) throw new MalformedPicture('no GIF');
  let at = 13 + colorTableSize(head[10]!);
  yield { start: 0, end: at };
  for (;;) {
    const [block] = await file.exactly(at, 1);
    if (block === TRAILER) return yield { start: at, end: at + 1 };
    if (block !== IMAGE && block !== EXTENSION) throw new MalformedPicture('an unknown block');
    const data = block === IMAGE ? at + 11 + colorTableSize((await file.exactly(at, 10))[9]!) : at + 2;
    const end = await endOfSubBlocks(file, data);
    if (block === IMAGE || (await isNeeded(file, at))) yield { start: at, end };
    at = end;
  }
}

function colorTableSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

async function isNeeded(file: Reader, at: number): Promise<boolean> {
  const [, label] = await file.exactly(at, 2);
  if (label === GRAPHIC_CONTROL) return true;
  if (label !== APPLICATION) return false;
  return NEEDED.has((await file.upTo(at + 3, 11)).toString('latin1'));
}

async function endOfSubBlocks(file: Reader, offset: number): Promise<number> {
  for (let at = offset; ;) {
    const [length] = await file.exactly(at, 1);
    at += 1 + length!;
    if (length === 0) return at;
  }
}
