import { numberAt } from '../strip/tiff.ts';
import { UnreadablePicture, type Piece, type Reader } from '../strip/reader.ts';
import { manifestAt, packetAt, type Scan } from './scan.ts';

const XMP = 700;
const GPS = 34_853;
const C2PA = 52_545;
const BYTES = 1;
/** Bytes of an entry, and the largest file with offsets of 32 bits. */
const ENTRY = 12;
const MAX_SIZE = 0xffff_0000;

interface Directory {
  readonly little: boolean;
  readonly entries: readonly { readonly tag: number; readonly length: number; readonly offset: number }[];
  readonly bytes: Buffer;
}

/** The first directory of a TIFF. BigTIFF takes no mark. (TIFF 6.0; XMP part 3, 1.1.4; C2PA, A.3.) */
export function scanTiff(file: Reader, size: number): Scan {
  const head = Buffer.from(file.exactly(0, 8));
  const little = head[0] === 0x49;
  const number = (bytes: Buffer, at: number, length: number) => numberAt(bytes, at, length, little);
  const version = number(head, 2, 2);
  if (version !== 42 && version !== 43) throw new UnreadablePicture('not a TIFF');
  if (version === 43) return { packets: [], signature: null, hasPosition: true, put: () => null };
  const start = number(head, 4, 4);
  const count = number(file.exactly(start, 2), 0, 2);
  const bytes = Buffer.from(file.exactly(start + 2, ENTRY * count + 4));
  const entries = Array.from({ length: count }, (_, index) => {
    const at = ENTRY * index;
    return { tag: number(bytes, at, 2), length: number(bytes, at + 4, 4), offset: number(bytes, at + 8, 4) };
  });
  const [packet, signature] = [XMP, C2PA].map((wanted) => entries.find(({ tag }) => tag === wanted));
  return {
    packets: packet ? [packetAt(file, packet.offset, packet.length)] : [],
    signature: signature ? manifestAt(file, signature.offset, signature.length) : null,
    hasPosition: entries.some(({ tag }) => tag === GPS),
    put: (added) => (size < MAX_SIZE - added.length ? written(head, size, { little, entries, bytes }, added) : null),
  };
}

/** The file with the packet and a new directory at its end. */
function written(head: Buffer, size: number, { little, entries, bytes }: Directory, packet: Buffer): readonly Piece[] {
  const [before, after] = [Buffer.alloc(size % 2), Buffer.alloc(packet.length % 2)];
  const start = size + before.length;
  const number = (value: number, length: number) => {
    const written = Buffer.alloc(length);
    if (little) written.writeUIntLE(value, 0, length);
    else written.writeUIntBE(value, 0, length);
    return written;
  };
  const own = Buffer.concat([number(XMP, 2), number(BYTES, 2), number(packet.length, 4), number(start, 4)]);
  const kept = entries.map(({ tag }, index) => ({ tag, entry: bytes.subarray(ENTRY * index, ENTRY * (index + 1)) }));
  const all = [...kept.filter(({ tag }) => tag !== XMP), { tag: XMP, entry: own }].sort(
    (one, other) => one.tag - other.tag,
  );
  return [
    Buffer.concat([head.subarray(0, 4), number(start + packet.length + after.length, 4)]),
    { start: 8, end: Infinity },
    Buffer.concat([before, packet, after, number(all.length, 2), ...all.map(({ entry }) => entry), bytes.subarray(-4)]),
  ];
}
