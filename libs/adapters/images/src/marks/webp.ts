import { exifLength } from '../strip/metadata.ts';
import { webpChunk } from '../strip/chunks.ts';
import { UnreadablePicture, type Piece, type Range, type Reader } from '../strip/reader.ts';
import { hasGps, manifestAt, MAX_PACKETS, packetAt, type Packet, type Scan } from './scan.ts';

/** Flags of the extended header, VP8X. */
const XMP = 0x04;
const ALPHA = 0x10;
const MAX_RIFF = 0xffff_fffe;

interface Found {
  readonly packets: (Packet & Range)[];
  readonly types: string[];
  signature: string | null;
  hasPosition: boolean;
}

/** Chunks of a WebP. (RFC 9649; C2PA, A.3.) */
export function scanWebp(file: Reader): Scan {
  const riff = Buffer.from(file.exactly(0, 12));
  if (riff.toString('latin1', 0, 4) !== 'RIFF' || riff.toString('latin1', 8) !== 'WEBP') {
    throw new UnreadablePicture('not a WebP');
  }
  const end = 8 + riff.readUInt32LE(4);
  file.exactly(end - 1, 1);
  const found: Found = { packets: [], types: [], signature: null, hasPosition: false };
  let at = 12;
  while (at + 8 <= end) {
    const head = file.exactly(at, 8);
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    const next = at + 8 + length + (length % 2);
    // The last chunk may lack its padding.
    if (next > end + 1) throw new UnreadablePicture('a chunk after the end');
    take(found, file, type, { start: at, end: Math.min(end, next) }, length);
    at = next;
  }
  const isWhole = at >= end;
  return { ...found, put: (packet) => (isWhole ? written(file, { riff, end }, found, packet) : null) };
}

function take(found: Found, file: Reader, type: string, place: Range, length: number): void {
  const data = place.start + 8;
  if (type === 'XMP ' && found.packets.length < MAX_PACKETS)
    found.packets.push({ ...packetAt(file, data, length), ...place });
  else if (type === 'C2PA') found.signature ??= manifestAt(file, data, length);
  else if (type === 'EXIF') found.hasPosition ||= hasGps(file.upTo(data, exifLength(length)));
  found.types.push(type);
}

/** XMP is the last of the known chunks. */
function written(
  file: Reader,
  { riff, end }: { readonly riff: Buffer; readonly end: number },
  { packets, types }: Found,
  packet: Buffer,
): readonly Piece[] | null {
  const isExtended = types[0] === 'VP8X';
  const extended = isExtended ? Buffer.from(file.exactly(12, 18)) : types.length === 1 && extendedHeader(file);
  if (!extended) return null;
  extended[8]! |= XMP;
  const padded = Buffer.concat([packet, Buffer.from(' '.repeat(packet.length % 2))]);
  const chunk = webpChunk('XMP ', padded);
  const place = packets[0] ?? { start: end, end };
  const padding = Buffer.alloc(place.start % 2);
  const head = Buffer.from(riff);
  const rest = isExtended ? 30 : 12;
  const size = end - rest - (place.end - place.start) + extended.length + 4 + padding.length + chunk.length;
  if (size > MAX_RIFF) return null;
  head.writeUInt32LE(size, 4);
  return [head, extended, { start: rest, end: place.start }, padding, chunk, { start: place.end, end: Infinity }];
}

/** The extended header that a simple file lacks; `null` for other files. */
function extendedHeader(file: Reader): Buffer | null {
  const head = file.exactly(12, 18);
  const type = head.toString('latin1', 0, 4);
  const header = webpChunk('VP8X', Buffer.alloc(10));
  const withSize = (width: number, height: number) => {
    header.writeUIntLE(width - 1, 12, 3);
    header.writeUIntLE(height - 1, 15, 3);
    return width > 0 && height > 0 ? header : null;
  };
  if (type === 'VP8 ' && head.readUIntBE(11, 3) === 0x9d012a) {
    return withSize(head.readUInt16LE(14) & 0x3fff, head.readUInt16LE(16) & 0x3fff);
  }
  if (type !== 'VP8L' || head[8] !== 0x2f) return null;
  const bits = head.readUInt32LE(9);
  if ((bits >>> 28) & 1) header[8] = ALPHA;
  return withSize((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}
