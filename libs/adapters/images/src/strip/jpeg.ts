import { bareExif, isSaneProfile, MAX_PROFILE_BYTES } from './metadata.ts';
import { UnreadablePicture, type Piece, type Range, type Reader } from './reader.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP15 = 0xef;
const WINDOW = 65_536;

const EXIF = 'Exif\0\0';
const PROFILE = 'ICC_PROFILE\0';
/** Bytes before the data in a segment of a profile: marker, length, signature, number and count. */
const PROFILE_HEAD = 18;

/** Application segments that decoding needs: JFIF, the colour profile, and Adobe's colour transform. */
const NEEDED = new Map([
  [APP0, 'JFIF\0'],
  [APP2, PROFILE],
  [0xee, 'Adobe'],
]);

/**
 * A JPEG without XMP, IPTC, comments, embedded previews, and EXIF other than the orientation. Data after its end is
 * removed too: cameras append further pictures and videos. (ITU-T T.81, annex B.)
 */
export function jpegPieces(file: Reader): Piece[] {
  if (file.exactly(0, 2).readUInt16BE() !== 0xff00 + SOI) throw new UnreadablePicture('no start of image');
  const pieces: Piece[] = [{ start: 0, end: 2 }];
  const profile = new Set<Range>();
  let exif: Buffer | undefined;
  for (let at = 2; ;) {
    const marker = markerAt(file, at);
    const start = marker.at;
    if (marker.code === EOI) {
      pieces.push({ start, end: start + 2 });
      break;
    }
    const length = file.exactly(start + 2, 2).readUInt16BE();
    if (length < 2) throw new UnreadablePicture('a segment without length');
    const end = start + 2 + length;
    const data = file.exactly(start + 4, length - 2);
    const segment = { start, end };
    if (marker.code === APP2 && isSigned(data, PROFILE)) profile.add(segment);
    if (isNeeded(marker.code, data)) pieces.push(segment);
    if (marker.code === APP1 && !exif && isSigned(data, EXIF)) {
      exif = data;
      pieces.push(exifSegment(data));
    }
    at = marker.code === SOS ? endOfScan(file, end) : end;
    if (at > end) pieces.push({ start: end, end: at });
  }
  return isProfile(file, [...profile]) ? pieces : pieces.filter((piece) => !profile.has(piece as Range));
}

/** Markers may be preceded by any number of fill bytes. */
function markerAt(file: Reader, offset: number): { at: number; code: number } {
  for (let at = offset; ; at++) {
    const code = file.byte(at + 1);
    if (file.byte(at) !== 0xff || code === undefined) throw new UnreadablePicture('a marker is missing');
    if (code !== 0xff) return { at, code };
  }
}

function isNeeded(code: number, data: Buffer): boolean {
  if (code < APP0 || code > APP15) return code !== COM;
  const signature = NEEDED.get(code);
  return signature !== undefined && isSigned(data, signature);
}

function isSigned(data: Buffer, signature: string): boolean {
  return data.toString('latin1', 0, signature.length) === signature;
}

function exifSegment(data: Buffer): Buffer {
  const exif = bareExif(data);
  if (!exif) return Buffer.alloc(0);
  const head = Buffer.from([0xff, APP1, 0, 2 + EXIF.length + exif.length]);
  return Buffer.concat([head, Buffer.from(EXIF, 'latin1'), exif]);
}

/** Reports whether the segments, in the order of their numbers, are a colour profile. */
function isProfile(file: Reader, segments: readonly Range[]): boolean {
  const bytes = segments.reduce((sum, { start, end }) => sum + end - start, 0);
  if (segments.length > 255 || bytes > MAX_PROFILE_BYTES) return false;
  const parts = segments.map(({ start, end }) => file.exactly(start, end - start));
  if (parts.some((part) => part.length < PROFILE_HEAD)) return false;
  parts.sort((one, other) => one[PROFILE_HEAD - 2]! - other[PROFILE_HEAD - 2]!);
  return isSaneProfile(Buffer.concat(parts.map((part) => part.subarray(PROFILE_HEAD))));
}

/** The end of the entropy-coded data at `offset`: the next marker that is not a restart. */
function endOfScan(file: Reader, offset: number): number {
  for (let at = offset; ;) {
    const window = file.upTo(at, WINDOW);
    if (window.length < 2) throw new UnreadablePicture('no end of image');
    let found = window.indexOf(0xff);
    while (found !== -1 && found + 1 < window.length) {
      const next = window[found + 1]!;
      const isData = next === 0x00 || (next >= 0xd0 && next <= 0xd7) || next === 0xff;
      if (!isData) return at + found;
      found = window.indexOf(0xff, found + (next === 0xff ? 1 : 2));
    }
    // If the last byte is 0xff, the next window starts with it.
    at += found === -1 ? window.length : found;
  }
}
