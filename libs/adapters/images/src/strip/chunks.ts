import type { FileHandle } from 'node:fs/promises';
import { MalformedPicture, type Range, type Reader } from './reader.ts';

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks that rendering needs; times, texts and EXIF are not among them. */
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA iCCP mDCV cLLI sBIT sRGB bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(' '),
);

/** A PNG without texts, times and EXIF, and without data after its end. (W3C PNG, third edition.) */
export async function* pngRanges(file: Reader): AsyncGenerator<Range, void> {
  if (!(await file.exactly(0, 8)).equals(PNG_SIGNATURE)) throw new MalformedPicture('no PNG');
  yield { start: 0, end: 8 };
  for (let at = 8; ;) {
    const head = await file.exactly(at, 8);
    const type = head.toString('latin1', 4);
    const end = at + 12 + head.readUInt32BE();
    if (PNG_CHUNKS.has(type)) yield { start: at, end };
    if (type === 'IEND') return;
    at = end;
  }
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** The flags of EXIF and XMP in VP8X. */
const METADATA_FLAGS = 0x08 | 0x04;

/** A WebP without EXIF, XMP, unknown chunks and data after its end; `amendWebp` completes it. (RFC 9649.) */
export async function* webpRanges(file: Reader): AsyncGenerator<Range, void> {
  const head = await file.exactly(0, 12);
  if (head.toString('latin1', 0, 4) !== 'RIFF' || head.toString('latin1', 8) !== 'WEBP') {
    throw new MalformedPicture('no WebP');
  }
  const end = 8 + head.readUInt32LE(4);
  await file.exactly(end - 1, 1);
  yield { start: 0, end: 12 };
  for (let at = 12; at + 8 <= end;) {
    const chunk = await file.exactly(at, 8);
    const length = chunk.readUInt32LE(4);
    const next = at + 8 + length + (length % 2);
    if (WEBP_CHUNKS.has(chunk.toString('latin1', 0, 4))) yield { start: at, end: next };
    at = next;
  }
}

/** Writes the new size, and removes the flags of what was left out. VP8X is the first chunk, if there is one. */
export async function amendWebp(stripped: FileHandle): Promise<void> {
  const head = Buffer.alloc(21);
  const { bytesRead } = await stripped.read(head, 0, 21, 0);
  head.writeUInt32LE((await stripped.stat()).size - 8, 4);
  if (head.toString('latin1', 12, 16) === 'VP8X') head[20]! &= ~METADATA_FLAGS;
  await stripped.write(head, 0, bytesRead, 0);
}
