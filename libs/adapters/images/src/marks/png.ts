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
/** Chunks in which ImageMagick wrote EXIF and XMP, in hexadecimal digits. */
const RAW_PROFILE = /^Raw profile type (?:exif|APP1|xmp)\0/;
const MAX_HEAD_BYTES = 1_024;

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
    else if (/^[iz]TXt$/.test(type) && file.upTo(data, XMP.length).toString('latin1') === XMP) {
      if (packets.length < MAX_PACKETS) packets.push({ ...packetIn(file, type, data, length), start: at, end });
    } else if (type === 'caBX') signature ??= manifestAt(file, data, length);
    else if (type === 'eXIf') hasPosition ||= hasGps(file.upTo(data, exifLength(length)));
    else if (/^[iz]?[tT][EX]Xt$/.test(type)) hasPosition ||= RAW_PROFILE.test(file.upTo(data, 40).toString('latin1'));
    if (type === 'IEND') break;
    at = end;
  }
  const { start, end } = packets[0] ?? { start: place, end: place };
  const put = (packet: Buffer) => replaced({ start, end }, pngChunk('iTXt', Buffer.concat([XMP_HEAD, packet])));
  return { packets, signature, hasPosition, put: place > 0 ? put : () => null };
}

/** libvips writes XMP as packed text without a language, zTXt. */
function packetIn(file: Reader, type: string, data: number, length: number): Packet {
  const head = file.upTo(data, Math.min(length, MAX_HEAD_BYTES));
  if (type === 'zTXt') return unpacked(file, data + XMP.length + 1, length - XMP.length - 1);
  const language = head.indexOf(0, XMP.length + 2);
  const text = language === -1 ? 0 : head.indexOf(0, language + 1) + 1;
  if (text === 0) return { text: '', isWhole: false };
  const isPacked = head[XMP.length] !== 0;
  return isPacked ? unpacked(file, data + text, length - text) : packetAt(file, data + text, length - text);
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
