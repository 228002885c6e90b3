import { UnreadablePicture, type Piece, type Range, type Reader } from './reader.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
export const APPLICATION = 0xff;

/** Application extensions that set the number of loops. Only the first is kept. */
const LOOP = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/;

/** A GIF without comments, texts and XMP, and without data after its end. (GIF89a.) */
export function gifPieces(file: Reader): Piece[] {
  const pieces: Piece[] = [];
  let loops = 0;
  for (const { block, label, start, end } of gifBlocks(file)) {
    if (pieces.length === 0) pieces.push({ start: 0, end: start });
    if (block === TRAILER) break;
    const isFirstLoop = label === APPLICATION && isLoop(file, start) && loops++ === 0;
    if (block === IMAGE || label === GRAPHIC_CONTROL || isFirstLoop) pieces.push({ start, end });
  }
  return [...pieces, Buffer.of(TRAILER)];
}

/** The blocks of a GIF, the last one the trailer: it is empty where programs have omitted it. */
export function* gifBlocks(file: Reader): Generator<Range & { readonly block: number; readonly label?: number }> {
  const head = file.exactly(0, 13);
  if (!/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) throw new UnreadablePicture('not a GIF');
  for (let start = 13 + colorTableSize(head[10]!); ;) {
    const block = file.byte(start);
    if (block === TRAILER || block === undefined) {
      return yield { block: TRAILER, start, end: block === undefined ? start : start + 1 };
    }
    if (block !== IMAGE && block !== EXTENSION) throw new UnreadablePicture('an unknown block');
    const data = block === IMAGE ? start + 11 + colorTableSize(file.exactly(start, 10)[9]!) : start + 2;
    const end = endOfSubBlocks(file, data);
    yield { block, label: block === EXTENSION ? file.byte(start + 1) : undefined, start, end };
    start = end;
  }
}

function colorTableSize(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

function isLoop(file: Reader, at: number): boolean {
  return LOOP.test(file.upTo(at + 3, 11).toString('latin1'));
}

function endOfSubBlocks(file: Reader, offset: number): number {
  for (let at = offset; ;) {
    const length = file.byte(at);
    if (length === undefined) throw new UnreadablePicture('the file ends too early');
    at += 1 + length;
    if (length === 0) return at;
  }
}
