import type { Piece, Range, Reader } from '../strip/reader.ts';

/** Larger packets are searched to this length, and left as they are. */
export const MAX_PACKET_BYTES = 1024 * 1024;

/** Further packets are not read. */
export const MAX_PACKETS = 8;

/** XMP as it stands in a file. */
export interface Packet {
  readonly text: string;
  /** False if there is more than `text`, or it can't be replaced. */
  readonly isWhole: boolean;
  /** It has properties for which the first packet had no space. */
  readonly isExtension?: boolean;
}

/** The marks that a container has, and a place for one. */
export interface Scan {
  readonly packets: readonly Packet[];
  /** Beginning of the manifest of C2PA, as latin1; `null` without one. */
  readonly signature: string | null;
  /** EXIF has a position. */
  readonly hasPosition: boolean;
  /** The file with this packet, at the place of the only one it has. `null` when the container can't take it. */
  readonly put: (packet: Buffer) => readonly Piece[] | null;
}

/** @throws UnreadablePicture when the file does not have the structure of its format */
export type Scanner = (file: Reader, size: number) => Scan;

/** Reads the packet at `start`. */
export function packetAt(file: Reader, start: number, length: number): Packet {
  const bytes = file.upTo(start, Math.min(length, MAX_PACKET_BYTES));
  return { text: bytes.toString('utf8'), isWhole: bytes.length === length };
}

/** Reads the manifest at `start`. */
export function manifestAt(file: Reader, start: number, length: number): string {
  return file.upTo(start, Math.min(length, MAX_PACKET_BYTES)).toString('latin1');
}

/** The file with `bytes` at the place of a part, which may be empty. */
export function replaced({ start, end }: Range, bytes: Buffer): readonly Piece[] {
  return [{ start: 0, end: start }, bytes, { start: end, end: Infinity }];
}

const GPS = 0x8825;
const MAX_ENTRIES = 1_000;

/** Reports whether EXIF refers to a directory of GPS with entries beside its version. */
export function hasGps(exif: Buffer): boolean {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  const order = tiff.toString('latin1', 0, 2);
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return false;
  const number = (at: number, length: 2 | 4): number => {
    if (at + length > tiff.length) return 0;
    return order === 'II' ? tiff.readUIntLE(at, length) : tiff.readUIntBE(at, length);
  };
  const directory = number(4, 4);
  const entries = Math.min(number(directory, 2), MAX_ENTRIES);
  for (let at = directory + 2; at < directory + 2 + 12 * entries; at += 12) {
    if (number(at, 2) === GPS) return number(number(at + 8, 4), 2) > 1 || number(number(at + 8, 4) + 2, 2) > 0;
  }
  return false;
}
