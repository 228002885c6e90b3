import { isSaneProfile, MAX_PROFILE_BYTES } from './metadata.ts';
import { MAX_PAGES, PictureTooLarge, UnreadablePicture, type Piece, type Reader } from './reader.ts';

/**
 * The tags that decoding needs: size and samples, strips and tiles, compression, colours, orientation, resolution.
 * EXIF, GPS, XMP, IPTC, Photoshop's resources and further pictures are not among them.
 */
const NEEDED = new Set([
  254, 255, 256, 257, 258, 259, 262, 266, 273, 274, 277, 278, 279, 282, 283, 284, 292, 293, 296, 317, 318, 319, 320,
  322, 323, 324, 325, 332, 334, 336, 338, 339, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532,
]);
const PROFILE = 34_675;

/** The byte order of a TIFF, and the lengths of its parts in bytes. */
interface Layout {
  readonly littleEndian: boolean;
  /** Length of the number of entries. */
  readonly count: number;
  readonly entry: number;
  readonly offset: number;
}

const CLASSIC = { count: 2, entry: 12, offset: 4 };
const BIG = { count: 8, entry: 20, offset: 8 };

/**
 * The first page of a TIFF with the entries that decoding needs. Other entries and pages are no longer referred to. All
 * bytes keep their positions. (TIFF 6.0; BigTIFF.)
 *
 * @throws UnreadablePicture; PictureTooLarge for more pages than a picture may have
 */
export function tiffPieces(file: Reader): Piece[] {
  const head = file.exactly(0, 16);
  const littleEndian = head[0] === 0x49;
  const version = numberAt(head, 2, 2, littleEndian);
  if (version !== 42 && version !== 43) throw new UnreadablePicture('not a TIFF');
  const layout: Layout = { littleEndian, ...(version === 42 ? CLASSIC : BIG) };
  const start = numberAt(head, version === 42 ? 4 : 8, layout.offset, littleEndian);
  countPages(file, layout, start);
  const directory = bareDirectory(file, layout, start);
  return [{ start: 0, end: start }, directory, { start: start + directory.length, end: Infinity }];
}

/** Follows the chain of directories. */
function countPages(file: Reader, layout: Layout, first: number): void {
  const pages = new Set<number>();
  for (let at = first; at !== 0;) {
    if (pages.has(at)) throw new UnreadablePicture('its pages form a loop');
    if (pages.add(at).size > MAX_PAGES) throw new PictureTooLarge('too many pages');
    const entries = numberAt(file.exactly(at, layout.count), 0, layout.count, layout.littleEndian);
    const end = at + layout.count + layout.entry * entries;
    at = numberAt(file.exactly(end, layout.offset), 0, layout.offset, layout.littleEndian);
  }
}

/** The directory at `start` with the needed entries. It is never longer than the original. */
function bareDirectory(file: Reader, layout: Layout, start: number): Buffer {
  const { count, entry: entryLength, offset, littleEndian } = layout;
  const entries = numberAt(file.exactly(start, count), 0, count, littleEndian);
  const kept = new Map<number, Buffer>();
  for (let index = 0; index < Math.min(entries, 65_535); index++) {
    const entry = file.exactly(start + count + entryLength * index, entryLength);
    const tag = numberAt(entry, 0, 2, littleEndian);
    if (kept.has(tag)) continue;
    if (NEEDED.has(tag) || (tag === PROFILE && isProfile(file, layout, entry))) kept.set(tag, Buffer.from(entry));
  }
  const number = Buffer.alloc(count);
  if (littleEndian) number.writeUInt16LE(kept.size, 0);
  else number.writeUInt16BE(kept.size, count - 2);
  return Buffer.concat([number, ...kept.values(), Buffer.alloc(offset)]);
}

function isProfile(file: Reader, { littleEndian, offset }: Layout, entry: Buffer): boolean {
  const length = numberAt(entry, 4, offset, littleEndian);
  if (length > MAX_PROFILE_BYTES) return false;
  return isSaneProfile(file.upTo(numberAt(entry, 4 + offset, offset, littleEndian), length));
}

export function numberAt(bytes: Buffer, at: number, length: number, littleEndian: boolean): number {
  if (length === 8) return Number(littleEndian ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return littleEndian ? bytes.readUIntLE(at, length) : bytes.readUIntBE(at, length);
}
