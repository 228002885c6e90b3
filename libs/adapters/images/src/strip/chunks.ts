import { crc32 } from 'node:zlib';
import { bareExif, exifLength, isSanePackedProfile, isSaneProfile, MAX_PROFILE_BYTES } from './metadata.ts';
import { UnreadablePicture, type Piece, type Reader } from './reader.ts';

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks that rendering needs: no times, texts or EXIF. */
const PNG_CHUNKS = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM cICP gAMA mDCV cLLI sBIT sRGB bKGD hIST pHYs acTL fcTL fdAT'.split(' '),
);

/**
 * A PNG without texts, times, data after its end, and EXIF other than the orientation. (W3C PNG, third edition.)
 */
export function pngPieces(file: Reader): Piece[] {
  if (!file.exactly(0, 8).equals(PNG_SIGNATURE)) throw new UnreadablePicture('not a PNG');
  const pieces: Piece[] = [{ start: 0, end: 8 }];
  const seen = new Set<string>();
  for (let at = 8; ;) {
    const head = file.exactly(at, 8);
    const length = head.readUInt32BE();
    const type = head.toString('latin1', 4);
    const end = at + 12 + length;
    const isFirst = !seen.has(type);
    seen.add(type);
    if (PNG_CHUNKS.has(type)) pieces.push({ start: at, end });
    if (type === 'iCCP' && isFirst && length <= MAX_PROFILE_BYTES && isSanePackedProfile(file.upTo(at + 8, length))) {
      pieces.push({ start: at, end });
    }
    const exif = type === 'eXIf' && isFirst && bareExif(file.upTo(at + 8, exifLength(length)));
    if (exif) pieces.push(pngChunk(type, exif));
    if (type === 'IEND') return pieces;
    at = end;
  }
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

const WEBP_CHUNKS = new Set(['VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF']);
/** Offset of the flags in the extended header, VP8X. */
const FLAGS = 8;
const PROFILE = 0x20;
const EXIF = 0x08;
const METADATA = PROFILE | EXIF | 0x04;

/** A WebP without XMP, unknown chunks, data after its end, and EXIF other than the orientation. (RFC 9649.) */
export function webpPieces(file: Reader): Piece[] {
  const riff = Buffer.from(file.exactly(0, 12));
  if (riff.toString('latin1', 0, 4) !== 'RIFF' || riff.toString('latin1', 8) !== 'WEBP') {
    throw new UnreadablePicture('not a WebP');
  }
  const end = 8 + riff.readUInt32LE(4);
  file.exactly(end - 1, 1);
  const pieces: Piece[] = [riff];
  let extended: Buffer | undefined;
  const isFirst = (flag: number): boolean => extended !== undefined && (extended[FLAGS]! & flag) === 0;
  for (let at = 12; at + 8 <= end;) {
    const chunk = file.exactly(at, 8);
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    const next = Math.min(end, at + 8 + length + (length % 2));
    const whole = { start: at, end: next };
    if (type === 'VP8X' && !extended) {
      extended = Buffer.from(file.exactly(at, 18));
      extended[FLAGS]! &= ~METADATA;
      pieces.push(extended);
    } else if (type === 'ICCP' && isFirst(PROFILE) && length <= MAX_PROFILE_BYTES) {
      if (isSaneProfile(file.upTo(at + 8, length))) {
        extended![FLAGS]! |= PROFILE;
        pieces.push(whole);
      }
    } else if (type === 'EXIF' && isFirst(EXIF)) {
      const exif = bareExif(file.upTo(at + 8, exifLength(length)));
      if (exif) {
        extended![FLAGS]! |= EXIF;
        pieces.push(webpChunk(type, exif));
      }
    } else if (WEBP_CHUNKS.has(type)) pieces.push(whole);
    at = next;
  }
  riff.writeUInt32LE(
    pieces.reduce((sum, piece) => sum + lengthOf(piece), -8),
    4,
  );
  return pieces;
}

/** @param data of even length */
export function webpChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

function lengthOf(piece: Piece): number {
  return Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start;
}
