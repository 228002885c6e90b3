import type { Readable } from 'node:stream';
import type { ByteRange, ObjectHeaders, ObjectInfo } from '#files';

/** An object opened for an HTTP response. */
export interface ServedObject {
  readonly info: ObjectInfo;
  readonly headers: ObjectHeaders;
  /** All bytes or a range; can be called once. */
  read(range?: ByteRange): Readable;
  /** Must be called in the end, whether the bytes were read or not. */
  close(): Promise<void>;
}

/** Caches may keep an object that expires until then; an expired one has no headers (`null`). */
export function headersAt(headers: ObjectHeaders, now: Date): ObjectHeaders | null {
  const { expiresAt, cacheControl = 'public' } = headers;
  if (!expiresAt) return headers;
  if (expiresAt <= now) return null;
  const secondsLeft = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  return { ...headers, cacheControl: `${cacheControl}, max-age=${secondsLeft}` };
}
