import { UnreadablePicture, type Piece, type Range, type Reader } from '../strip/reader.ts';
import { boxesIn, boxOf, type Box } from './boxes.ts';
import { ItemLocations } from './item-locations.ts';
import { C2PA } from './mp4.ts';
import { manifestAt, MAX_PACKETS, packetAt, type Packet, type Scan } from './scan.ts';

const XMP_TYPE = 'application/rdf+xml\0';
/** Tables of items are small: a picture of many tiles has some thousand items. */
const MAX_META_BYTES = 4 * 1024 * 1024;
const MAX_ID = 0xffff;

/** The tables of the items of a HEIF or AVIF picture. */
interface Items {
  readonly meta: Box;
  readonly boxes: readonly Box[];
  readonly locations: ItemLocations;
  readonly primary: number;
}

/**
 * Items of a HEIF or AVIF picture: XMP is one that describes the primary item. Its bytes are appended, and the offsets
 * of all items behind the tables move by as much as these grow. Sequences take no mark. (ISO/IEC 23008-12; XMP part 3.)
 */
export function scanHeif(file: Reader, size: number): Scan {
  const boxes = boxesIn(file, 0, size);
  const meta = boxes.find(({ type }) => type === 'meta');
  if (!meta || meta.end - meta.start > MAX_META_BYTES) throw new UnreadablePicture('no table of items');
  const signed = boxes.find(({ id }) => id === C2PA);
  const items = itemsIn(file, meta);
  const xmp = items ? xmpItems(file, items) : [];
  const isUsual = items !== null && !boxes.at(-1)!.isOpen && !boxes.some(({ type }) => type === 'moov');
  return {
    packets: xmp.slice(0, MAX_PACKETS).map((id) => packetOf(file, items!, id)),
    signature: signed ? manifestAt(file, signed.data, signed.end - signed.data) : null,
    hasPosition: false,
    put: (packet) => (isUsual ? written(file, size, items, xmp[0] ?? null, packet) : null),
  };
}

/** `null` for tables of other forms. */
function itemsIn(file: Reader, meta: Box): Items | null {
  const boxes = boxesIn(file, meta.data + 4, meta.end);
  const content = (type: string) => {
    const found = boxes.filter((box) => box.type === type);
    return found.length === 1 ? contentOf(file, found[0]!) : null;
  };
  const [pitm, iloc, iinf] = [content('pitm'), content('iloc'), content('iinf')];
  const locations = iloc && ItemLocations.read(iloc);
  if (!locations || pitm?.[0] !== 0 || (iinf?.[0] !== 0 && iinf?.[0] !== 1)) return null;
  return { meta, boxes, locations, primary: pitm.readUInt16BE(4) };
}

function contentOf(file: Reader, { data, end }: Range & { readonly data: number }): Buffer {
  return Buffer.from(file.exactly(data, end - data));
}

/** The ids of the items of XMP. */
function xmpItems(file: Reader, { boxes }: Items): readonly number[] {
  const iinf = boxes.find(({ type }) => type === 'iinf')!;
  const entries = boxesIn(file, iinf.data + (file.byte(iinf.data) === 0 ? 6 : 8), iinf.end);
  return entries.flatMap((entry) => {
    const infe = contentOf(file, entry);
    if (infe[0] !== 2 || infe.toString('latin1', 8, 12) !== 'mime') return [];
    const name = infe.indexOf(0, 12);
    return infe.toString('latin1', name + 1, name + 1 + XMP_TYPE.length) === XMP_TYPE ? [infe.readUInt16BE(4)] : [];
  });
}

function packetOf(file: Reader, { locations }: Items, id: number): Packet {
  const place = locations.placeOf(id);
  return place ? packetAt(file, place.start, place.end - place.start) : { text: '', isWhole: false };
}

function written(
  file: Reader,
  size: number,
  items: Items,
  own: number | null,
  packet: Buffer,
): readonly Piece[] | null {
  const { meta, boxes, locations, primary } = items;
  const id = own ?? locations.nextId;
  if (id > MAX_ID) return null;
  const content = (type: string) => {
    const box = boxes.find((each) => each.type === type);
    return box ? contentOf(file, box) : null;
  };
  const changed = new Map<string, Buffer>();
  if (own === null) {
    const references = withReference(content('iref'), id, primary);
    if (!references) return null;
    changed.set('iinf', withEntry(content('iinf')!, id)).set('iref', references);
  }
  const flags = Buffer.from(file.exactly(meta.data, 4));
  const metaWith = (shift: number) => {
    const place = { id, length: packet.length, start: size + shift + 8 };
    const moved = locations.write(place, meta, shift);
    return moved && boxOf('meta', flags, ...ordered(file, items.boxes, changed.set('iloc', moved)));
  };
  const growth = (metaWith(0)?.length ?? 0) - (meta.end - meta.start);
  const table = metaWith(growth);
  if (!table) return null;
  return [{ start: 0, end: meta.start }, table, { start: meta.end, end: Infinity }, boxOf('mdat', packet)];
}

/** The boxes in their order, those that were not there behind them. */
function ordered(file: Reader, boxes: readonly Box[], changed: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  const written = boxes.map(({ type, start, end }) => {
    const content = changed.get(type);
    return content ? boxOf(type, content) : Buffer.from(file.exactly(start, end - start));
  });
  const added = [...changed].filter(([type]) => !boxes.some((box) => box.type === type));
  return [...written, ...added.map(([type, content]) => boxOf(type, content))];
}

function withEntry(iinf: Buffer, id: number): Buffer {
  const entry = Buffer.from(`\x02\0\0\0\0\0\0\0mime\0${XMP_TYPE}`, 'latin1');
  entry.writeUInt16BE(id, 4);
  const changed = Buffer.concat([iinf, boxOf('infe', entry)]);
  const length = iinf[0] === 0 ? 2 : 4;
  changed.writeUIntBE(iinf.readUIntBE(4, length) + 1, 4, length);
  return changed;
}

/** `null` for a table of large ids. */
function withReference(iref: Buffer | null, from: number, to: number): Buffer | null {
  if (iref && iref[0] !== 0) return null;
  const reference = Buffer.alloc(6);
  reference.writeUInt16BE(from, 0);
  reference.writeUInt16BE(1, 2);
  reference.writeUInt16BE(to, 4);
  return Buffer.concat([iref ?? Buffer.alloc(4), boxOf('cdsc', reference)]);
}
