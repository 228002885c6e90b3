import { MalformedPicture, type Range, type Reader } from './reader.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;
const APP0 = 0xe0;
const APP15 = 0xef;
const WINDOW = 65_536;

/** Application segments that decoding needs: JFIF, the colour profile, and Adobe's colour transform. */
const NEEDED = new Map([
  [0xe0, 'JFIF\0'],
  [0xe2, 'ICC_PROFILE\0'],
  [0xee, 'Adobe'],
]);

/**
 * A JPEG without EXIF, XMP, IPTC, comments and embedded previews, and without data after its end, where cameras put
 * further pictures and videos. (ITU-T T.81, annex B.)
 */
export async function* jpegRanges(file: Reader): AsyncGenerator<Range, void> {
  const start = await file.exactly(0, 2);
  if (start[0] !== 0xff || start[1] !== SOI) throw new MalformedPicture('no start of image');
  yield { start: 0, end: 2 };
  for (let at = 2; ;) {
    const marker = await markerAt(file, at);
    if (marker.code === EOI) return yield { start: marker.at, end: marker.at + 2 };
    const length = (await file.exactly(marker.at + 2, 2)).readUInt16BE();
    if (length < 2) throw new MalformedPicture('a segment without length');
    const end = marker.at + 2 + length;
    if (await isNeeded(file, marker.at, marker.code)) yield { start: marker.at, end };
    at = marker.code === SOS ? await endOfScan(file, end) : end;
    if (at > end) yield { start: end, end: at };
  }
}

/** Markers may be preceded by any number of fill bytes. */
async function markerAt(file: Reader, offset: number): Promise<{ at: number; code: number }> {
  for (let at = offset; ; at++) {
    const [first, code] = await file.exactly(at, 2);
    if (first !== 0xff) throw new MalformedPicture('a marker is missing');
    if (code !== 0xff) return { at, code: code! };
  }
}

async function isNeeded(file: Reader, at: number, code: number): Promise<boolean> {
  if (code === COM) return false;
  if (code < APP0 || code > APP15) return true;
  const signature = NEEDED.get(code);
  if (signature === undefined) return false;
  return (await file.upTo(at + 4, signature.length)).toString('latin1') === signature;
}

/** The end of the entropy-coded data at `offset`: the next marker that is not a restart. */
async function endOfScan(file: Reader, offset: number): Promise<number> {
  for (let at = offset; ;) {
    const window = await file.upTo(at, WINDOW);
    if (window.length < 2) throw new MalformedPicture('no end of image');
    let found = window.indexOf(0xff);
    while (found !== -1 && found + 1 < window.length) {
      const next = window[found + 1]!;
      const isData = next === 0x00 || (next >= 0xd0 && next <= 0xd7) || next === 0xff;
      if (!isData) return at + found;
      found = window.indexOf(0xff, found + (next === 0xff ? 1 : 2));
    }
    // A last byte of 0xff is read again, with the bytes after it.
    at += found === -1 ? window.length : found;
  }
}
