import { inflateSync } from 'node:zlib';
import { exifLength } from '../strip/metadata.ts';
import { PNG_SIGNATURE, pngChunk } from '../strip/chunks.ts';
import { UnreadablePicture, type Range, type Reader } from '../strip/reader.ts';
import {
  hasGps,
  manifestAt,
  MAX_PACKET_BYTES,
  MAX_PACKETS,
  packetAt,
  replaced,
  type Packet,
  type Scan,
} from './scan.ts';

/** Keyword, no compression, no language. */
const XMP = 'XML:com.adobe.xmp\0';
const XMP_HEAD = Buffer.from(`${XMP}\0\0\0\0`, 'latin1');
/** Texts in which ImageMagick writes EXIF and XMP, in hexadecimal digits. */
const RAW_PROFILE = /^Raw profile type (?:exif|APP1|xmp)\0/;
const RAW_XMP = 'Raw profile type xmp\0';
const MAX_HEAD_BYTES = 1_024;
/** With the zero byte behind it. */
const MAX_KEYWORD_BYTES = 80;

/** Chunks of a PNG to its end. What follows stays. (XMP part 3, 1.1.5; C2PA, A.3.2.) */
export function scanPng(file: Reader): Scan {
  if (!file.exactly(0, 8).equals(PNG_SIGNATURE)) throw new UnreadablePicture('not a PNG');
  const packets: (Packet & Range)[] = [];
  let [signature, hasPosition, place]: [string | null, boolean, number] = [null, false, 0];
  for (let at = 8; ;) {
    const head = file.exactly(at, 8);
    const [length, type] = [head.readUInt32BE(), head.toString('latin1', 4)];
    const [data, end] = [at + 8, at + 12 + length];
    if (type === 'IDAT') place ||= at;
    else if (/^(?:tEXt|[iz]TXt)$/.test(type)) {
      const head = file.upTo(data, MAX_KEYWORD_BYTES).toString('latin1');
      hasPosition ||= RAW_PROFILE.test(head);
      const keyword = [XMP, RAW_XMP].find((each) => head.startsWith(each));
      if (keyword && packets.length < MAX_PACKETS)
        packets.push({ ...packetIn(file, type, keyword, data, length), start: at, end });
    } else if (type === 'caBX') signature ??= manifestAt(file, data, length);
    else if (type === 'eXIf') hasPosition ||= hasGps(file.upTo(data, exifLength(length)));
    if (type === 'IEND') break;
    at = end;
  }
  const { start, end } = packets[0] ?? { start: place, end: place };
  const put = (packet: Buffer) => replaced({ start, end }, pngChunk('iTXt', Buffer.concat([XMP_HEAD, packet])));
  return { packets, signature, hasPosition, put: place > 0 ? put : () => null };
}

function packetIn(file: Reader, type: string, keyword: string, data: number, length: number): Packet {
  const packet = textIn(file, type, keyword, data, length);
  return keyword === RAW_XMP ? profileIn(packet) : packet;
}

/** libvips writes XMP as packed text without a language, zTXt. */
function textIn(file: Reader, type: string, keyword: string, data: number, length: number): Packet {
  const head = file.upTo(data, Math.min(length, MAX_HEAD_BYTES));
  const start = keyword.length;
  if (type === 'tEXt') return packetAt(file, data + start, length - start);
  if (type === 'zTXt') return unpacked(file, data + start + 1, length - start - 1);
  const language = head.indexOf(0, start + 2);
  const text = language === -1 ? 0 : head.indexOf(0, language + 1) + 1;
  if (text === 0) return { text: '', isWhole: false };
  const isPacked = head[start] !== 0;
  return isPacked ? unpacked(file, data + text, length - text) : packetAt(file, data + text, length - text);
}

/** A raw profile: its name, its length in bytes, and these in lines of hexadecimal digits. */
function profileIn({ text, isWhole }: Packet): Packet {
  const [, length, digits] = /^\s*xmp\s+(\d+)\n([\da-f\s]*)$/i.exec(text) ?? [];
  const bytes = Buffer.from((digits ?? '').replace(/\s/g, ''), 'hex');
  return { text: bytes.toString('utf8'), isWhole: isWhole && bytes.length === Number(length) };
}

function unpacked(file: Reader, start: number, length: number): Packet {
  try {
    const packed = file.upTo(start, Math.min(length, MAX_PACKET_BYTES));
    const bytes = inflateSync(packed, { maxOutputLength: MAX_PACKET_BYTES });
    return { text: bytes.toString('utf8'), isWhole: true };
  } catch {
    return { text: '', isWhole: false };
  }
}
