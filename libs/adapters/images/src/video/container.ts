import { open, type FileHandle } from 'node:fs/promises';

/** The containers of videos, as FFmpeg names their formats. */
export type Container = 'mov' | 'matroska';

const EBML_MAGIC = 0x1a45dfa3;

/** Returns `null` for a file that is shorter than its container declares, without reading all of it. */
export async function containerOf(file: string): Promise<Container | null> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const head = Buffer.alloc(4);
  await handle.read(head, 0, 4, 0);
  if (head.readUInt32BE(0) === EBML_MAGIC) return (await isWholeWebm(handle, size)) ? 'matroska' : null;
  return (await isWholeMp4(handle, size)) ? 'mov' : null;
}

const SEGMENT = 0x18538067;
/** An id of four bytes and a length of at most eight. */
const EBML_HEAD_BYTES = 12;

/** Reports whether the segment, which contains everything after the header, is complete. (RFC 8794, RFC 9559.) */
async function isWholeWebm(handle: FileHandle, size: number): Promise<boolean> {
  const head = Buffer.alloc(EBML_HEAD_BYTES);
  await handle.read(head, 0, EBML_HEAD_BYTES, 0);
  const header = ebmlLength(head);
  if (header === null) return false;
  const { bytesRead } = await handle.read(head, 0, EBML_HEAD_BYTES, header.end);
  if (bytesRead < EBML_HEAD_BYTES || head.readUInt32BE(0) !== SEGMENT) return false;
  const segment = ebmlLength(head);
  // Live recordings do not declare their length.
  return segment === null || header.end + segment.end <= size;
}

/** The end of the element at the first byte, whose id has four bytes; `null` if its length is unknown. */
function ebmlLength(head: Buffer): { readonly end: number } | null {
  const bytes = Math.clz32(head[4]!) - 23;
  if (bytes > 8) return null;
  let length = head[4]! & (0xff >> bytes);
  let isUnknown = length === 0xff >> bytes;
  for (let at = 5; at < 4 + bytes; at++) {
    isUnknown &&= head[at] === 0xff;
    length = length * 256 + head[at]!;
  }
  return isUnknown ? null : { end: 4 + bytes + length };
}

const MAX_BOXES = 100_000;
/** The boxes of the index and of the frames. */
const NEEDED = new Set(['moov', 'moof', 'mdat']);

/**
 * Reports whether the file is as long as its boxes declare. Data after the boxes is ignored. (ISO/IEC 14496-12, 4.2.)
 */
async function isWholeMp4(handle: FileHandle, size: number): Promise<boolean> {
  const head = Buffer.alloc(16);
  let hasMovie = false;
  let at = 0;
  for (let boxes = 0; boxes < MAX_BOXES; boxes++) {
    const { bytesRead } = await handle.read(head, 0, 16, at);
    if (bytesRead < 8) return hasMovie;
    const type = head.toString('latin1', 4, 8);
    const length = lengthOf(head, size - at);
    if (length < 8) return hasMovie;
    at += length;
    if (at > size) return hasMovie && !NEEDED.has(type);
    hasMovie ||= type === 'moov';
  }
  return false;
}

/** The length of a box in 32 bits: 1 stands for a length of 64 bits, 0 for the rest of the file. */
function lengthOf(head: Buffer, rest: number): number {
  const length = head.readUInt32BE(0);
  if (length === 0) return rest;
  return length === 1 ? Number(head.readBigUInt64BE(8)) : length;
}
