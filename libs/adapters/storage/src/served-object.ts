import type { Readable } from 'node:stream';
import type { ByteRange, ObjectHeaders, ObjectInfo } from '#files';

/** An object opened for an HTTP response. */
export interface ServedObject {
  readonly info: ObjectInfo;
  readonly headers: ObjectHeaders;
  /** Reads all bytes or a range. Can be called once. */
  read(range?: ByteRange): Readable;
  /** Releases the object. Must be called even if nothing was read. */
  close(): Promise<void>;
}

/** The headers with a `max-age` until the object expires; `null` for an expired object. */
export function headersAt(headers: ObjectHeaders, now: Date): ObjectHeaders | null {
  const { expiresAt, cacheControl = 'public' } = headers;
  if (!expiresAt) return headers;
  if (expiresAt <= now) return null;
  const secondsLeft = Math.floor((expiresAt.getTime() - now.getTime()) / 1000);
  return { ...headers, cacheControl: `${cacheControl}, max-age=${secondsLeft}` };
}
