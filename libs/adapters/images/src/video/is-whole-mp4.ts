import { open } from 'node:fs/promises';

const MAX_BOXES = 100_000;
/** What describes the video, and what holds its pictures. */
const NEEDED = new Set(['moov', 'moof', 'mdat']);

/**
 * Whether an MP4 file has all that its boxes announce: one that broke off is noticed without reading it. What follows
 * the boxes does not matter. (ISO/IEC 14496-12, 4.2.)
 */
export async function isWholeMp4(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { size } = await handle.stat();
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

/** Lengths of 32 bits; 1 announces one of 64 bits, 0 says "the rest". */
function lengthOf(head: Buffer, rest: number): number {
  const length = head.readUInt32BE(0);
  if (length === 0) return rest;
  return length === 1 ? Number(head.readBigUInt64BE(8)) : length;
}
