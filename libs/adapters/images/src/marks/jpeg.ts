import { UnreadablePicture, type Range, type Reader } from '../strip/reader.ts';
import { hasGps, MAX_PACKET_BYTES, MAX_PACKETS, replaced, type Packet, type Scan } from './scan.ts';

const SOI = 0xffd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP11 = 0xeb;
const EXIF = 'Exif\0\0';
const XMP = 'http://ns.adobe.com/xap/1.0/\0';
const EXTENDED_XMP = 'http://ns.adobe.com/xmp/extension/\0';
/** Bytes of extended XMP before its text: signature, digest, full length and offset. */
const EXTENSION_HEAD = EXTENDED_XMP.length + 32 + 4 + 4;
const MAX_DATA = 65_533;
/** Bytes of a segment of JUMBF before its box: `JP`, instance and number; later segments repeat the head of the box. */
const JUMBF_HEAD = 8;

/** Segments of a JPEG before its first scan. (XMP part 3, 1.1.3; C2PA, A.3.1.) */
export function scanJpeg(file: Reader): Scan {
  if (file.exactly(0, 2).readUInt16BE() !== SOI) throw new UnreadablePicture('no start of image');
  const packets: (Packet & Range)[] = [];
  const [extended, manifest]: [Buffer[], Buffer[]] = [[], []];
  let [hasPosition, isLeading, place, others] = [false, true, 2, Infinity];
  for (const { code, data, start, end } of segmentsOf(file)) {
    const signature = data.toString('latin1', 0, EXTENSION_HEAD);
    if (code === APP1 && signature.startsWith(XMP)) {
      if (packets.length < MAX_PACKETS)
        packets.push({ text: data.toString('utf8', XMP.length), isWhole: true, start, end });
    } else if (code === APP1 && signature.startsWith(EXTENDED_XMP)) extended.push(data.subarray(EXTENSION_HEAD));
    else if (code === APP1 && signature.startsWith(EXIF)) hasPosition ||= hasGps(data);
    else if (code === APP11 && isManifest(data, manifest)) manifest.push(data.subarray(JUMBF_HEAD));
    else if (code === APP2 && signature.startsWith('MPF\0')) others = Math.min(others, start);
    isLeading &&= code === APP0 || (code === APP1 && signature.startsWith(EXIF));
    if (isLeading) place = end;
  }
  const { start, end } = packets[0] ?? { start: place, end: place };
  const extension = Buffer.concat(extended);
  const [text, isWhole] = [extension.toString('utf8', 0, MAX_PACKET_BYTES), extension.length <= MAX_PACKET_BYTES];
  return {
    packets: text === '' ? packets : [...packets, { text, isWhole, isExtension: true }],
    signature: manifest.length > 0 ? Buffer.concat(manifest).toString('latin1', 0, MAX_PACKET_BYTES) : null,
    hasPosition,
    // Pictures after this one are found by their distance from the segment that lists them.
    put: (packet) => (start < others ? segmentWith(packet, { start, end }) : null),
  };
}

function* segmentsOf(file: Reader): Generator<{ code: number; data: Buffer } & Range> {
  for (let at = 2; ;) {
    const [fill, code] = [file.byte(at), file.byte(at + 1)];
    if (fill !== 0xff || code === undefined) throw new UnreadablePicture('a marker is missing');
    if (code === 0xff) {
      at++;
      continue;
    }
    if (code === SOS || code === EOI) return;
    const end = at + 2 + file.exactly(at + 2, 2).readUInt16BE();
    if (end < at + 4) throw new UnreadablePicture('a segment without length');
    yield { code, data: Buffer.from(file.exactly(at + 4, end - at - 4)), start: at, end };
    at = end;
  }
}

/** Segments after the first one have only the head of the box. */
function isManifest(data: Buffer, former: readonly Buffer[]): boolean {
  if (data.toString('latin1', 0, 2) !== 'JP' || data.toString('latin1', 12, 16) !== 'jumb') return false;
  return former.length > 0 || data.subarray(0, 128).includes('c2pa');
}

function segmentWith(packet: Buffer, place: Range) {
  const data = Buffer.concat([Buffer.from(XMP, 'latin1'), packet]);
  if (data.length > MAX_DATA) return null;
  const head = Buffer.from([0xff, APP1, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return replaced(place, Buffer.concat([head, data]));
}
