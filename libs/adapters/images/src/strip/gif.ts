import { UnreadablePicture, type Piece, type Reader } from './reader.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions that set the number of loops. Only the first is kept. */
const LOOP = /^(?:NETSCAPE2\.0|ANIMEXTS1\.0)$/;

/** A GIF without comments, texts and XMP, and without data after its end. (GIF89a.) */
export function gifPieces(file: Reader): Piece[] {
  const head = file.exactly(0, 13);
  if (!/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) throw new UnreadablePicture('not a GIF');
  let at = 13 + colorTableSize(head[10]!);
  const pieces: Piece[] = [{ start: 0, end: at }];
  let loops = 0;
  for (;;) {
    const block = file.byte(at);
    // Some programs omit the trailer.
    if (block === TRAILER || block === undefined) return [...pieces, Buffer.of(TRAILER)];
    if (block !== IMAGE && block !== EXTENSION) throw new UnreadablePicture('an unknown block');
    const data = block === IMAGE ? at + 11 + colorTableSize(file.exactly(at, 10)[9]!) : at + 2;
    const end = endOfSubBlocks(file, data);
    const label = block === EXTENSION ? file.byte(at + 1) : undefined;
    const isFirstLoop = label === APPLICATION && isLoop(file, at) && loops++ === 0;
    if (block === IMAGE || label === GRAPHIC_CONTROL || isFirstLoop) pieces.push({ start: at, end });
    at = end;
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
