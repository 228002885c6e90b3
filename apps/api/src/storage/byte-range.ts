import type { IncomingHttpHeaders } from 'node:http';
import type { ByteRange } from '#files';

/**
 * The range of an object of `size` bytes that a request asks for; `null` for all of it, also when it asks for
 * several ranges, or for a range of an object that has changed.
 */
export function byteRangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = /^bytes=([0-9]*)-([0-9]*)$/.exec(range ?? '') ?? [];
  if (first === '' && last === '') return null;
  if (ifRange !== undefined && ifRange !== etag) return null;
  if (first === '') return rangeWithin(Math.max(0, size - Number(last)), size - 1);
  if (last !== '' && Number(last) < Number(first)) return null;
  return rangeWithin(Number(first), Math.min(size - 1, last === '' ? Infinity : Number(last)));
}

function rangeWithin(start: number, end: number): ByteRange | 'unsatisfiable' {
  return start <= end ? { start, end } : 'unsatisfiable';
}
