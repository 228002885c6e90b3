/*
 * The records of a zip, by APPNOTE.TXT 6.3.10 of PKWARE (the numbers of its sections are in the comments). Sizes follow the
 * bytes of an entry, in a data descriptor, as they are not known before.
 */

export interface EntryFacts {
  readonly path: string;
  readonly modifiedAt: Date;
  readonly isCompressed: boolean;
}

export interface WrittenEntry extends EntryFacts {
  /** CRC-32 of the bytes. */
  readonly crc: number;
  /** Bytes, and bytes as they are in the zip. */
  readonly size: number;
  readonly packedSize: number;
  /** Position of the local header in the zip. */
  readonly offset: number;
}

const ZIP64_VERSION = 45;
/** Info-ZIP reads names of other systems in their old encodings, whatever the flags say. */
const MADE_ON_UNIX = 0x0300;
/** The external attributes of a regular file with mode 644. */
const FILE_MODE = 0x81a4_0000;
/** A data descriptor follows; names are UTF-8. */
const FLAGS = 0x0808;
const [STORED, DEFLATED] = [0, 8];
/** Stands for a number that the ZIP64 field has. */
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
const ZIP64_FIELD = 1;

/** 4.3.7. With a ZIP64 field the sizes in the data descriptor have 8 bytes. */
export function localHeader(entry: EntryFacts): Buffer {
  const sizes = [MAX_32, MAX_32];
  const extra = zip64Field([0, 0]);
  const name = Buffer.from(entry.path);
  const head = [u32(0x04034b50), ...common(entry, 0, sizes), u16(name.length), u16(extra.length)];
  return Buffer.concat([...head, name, extra]);
}

/** 4.3.9 */
export function dataDescriptor({ crc, size, packedSize }: WrittenEntry): Buffer {
  return Buffer.concat([u32(0x08074b50), u32(crc), u64(packedSize), u64(size)]);
}

/** 4.3.12 */
export function directoryRecord(entry: WrittenEntry): Buffer {
  const { crc, size, packedSize, offset } = entry;
  // In the order of 4.5.3, only the numbers that don't fit into their field.
  const large = [size, packedSize, offset].filter((each) => each >= MAX_32);
  const extra = large.length > 0 ? zip64Field(large) : Buffer.alloc(0);
  const name = Buffer.from(entry.path);
  return Buffer.concat([
    u32(0x02014b50),
    u16(MADE_ON_UNIX | ZIP64_VERSION),
    ...common(entry, crc, [fitted(packedSize), fitted(size)]),
    ...[name.length, extra.length, 0, 0, 0].map(u16),
    u32(FILE_MODE),
    u32(fitted(offset)),
    name,
    extra,
  ]);
}

/** 4.3.14 to 4.3.16: the end of the directory, preceded by its ZIP64 form where a number needs it. */
export function directoryEnd({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = Buffer.concat([
    u32(0x06054b50),
    ...[0, 0, Math.min(count, MAX_16), Math.min(count, MAX_16)].map(u16),
    u32(fitted(size)),
    u32(fitted(offset)),
    u16(0),
  ]);
  if (count < MAX_16 && size < MAX_32 && offset < MAX_32) return end;
  return Buffer.concat([
    u32(0x06064b50),
    u64(44),
    u16(ZIP64_VERSION),
    u16(ZIP64_VERSION),
    u32(0),
    u32(0),
    ...[count, count, size, offset].map(u64),
    // The locator.
    u32(0x07064b50),
    u32(0),
    u64(offset + size),
    u32(1),
    end,
  ]);
}

/** The fields from "version needed to extract" to "uncompressed size". */
function common({ isCompressed, modifiedAt }: EntryFacts, crc: number, sizes: readonly number[]): Buffer[] {
  const method = isCompressed ? DEFLATED : STORED;
  return [...[ZIP64_VERSION, FLAGS, method].map(u16), dosTime(modifiedAt), u32(crc), ...sizes.map(u32)];
}

/** 4.5.3 */
function zip64Field(numbers: readonly number[]): Buffer {
  return Buffer.concat([u16(ZIP64_FIELD), u16(numbers.length * 8), ...numbers.map(u64)]);
}

/** 4.4.6, in UTC. The format begins in 1980 and ends in 2107. */
function dosTime(time: Date): Buffer {
  const year = Math.min(Math.max(time.getUTCFullYear() - 1980, 0), 127);
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const day = (year << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return Buffer.concat([u16(clock), u16(day)]);
}

function fitted(number: number): number {
  return Math.min(number, MAX_32);
}

function u16(number: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(number);
  return bytes;
}

function u32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

function u64(number: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(number));
  return bytes;
}
