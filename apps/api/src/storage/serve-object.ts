import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { DiskObjectStorage, isBucket, type ServedObject } from '#adapters/storage';
import type { ByteRange, ObjectHeaders, ObjectStorage } from '#files';
import { notFound } from '#kernel';

/** A storage whose objects the API can send. */
export interface ServableStorage {
  serve(key: string): Promise<ServedObject | null>;
}

/** The storage, as one whose objects the API can send. */
export function servableStorage(storage: ObjectStorage): ServableStorage {
  if (storage instanceof DiskObjectStorage || isBucket(storage)) return storage;
  throw new TypeError('this storage cannot be served');
}

/**
 * Responds to a GET or HEAD with an object, or with the requested range of it.
 *
 * @throws DomainError `not_found`
 */
export async function serveObject(
  request: IncomingMessage,
  response: ServerResponse,
  storage: ServableStorage,
  key: string,
): Promise<void> {
  if (!(await serveIfStored(request, response, storage, key))) throw notFound('file');
}

/**
 * As `serveObject`, without an error for a missing object.
 *
 * @param headers replace those of the object
 * @returns false if there is no such object
 */
export async function serveIfStored(
  request: IncomingMessage,
  response: ServerResponse,
  storage: ServableStorage,
  key: string,
  headers?: ObjectHeaders,
): Promise<boolean> {
  const object = await storage.serve(key);
  if (!object) return false;
  try {
    await respond(request, response, headers ? { ...object, headers } : object);
  } finally {
    await object.close();
  }
  return true;
}

async function respond(request: IncomingMessage, response: ServerResponse, object: ServedObject): Promise<void> {
  const { size } = object.info;
  const etag = `"${object.info.etag}"`;
  setServingHeaders(response, object, etag);
  if (isKnown(request.headers['if-none-match'], etag)) {
    response.writeHead(304).end();
    return;
  }
  const range = request.method === 'GET' ? byteRangeOf(request.headers, size, etag) : null;
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'Content-Range': `bytes */${size}`, 'Content-Length': 0 }).end();
    return;
  }
  if (range) {
    const { start, end } = range;
    const part = { 'Content-Range': `bytes ${start}-${end}/${size}`, 'Content-Length': end - start + 1 };
    response.writeHead(206, part);
  } else {
    response.writeHead(200, { 'Content-Length': size });
  }
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(object.read(range ?? undefined), response);
  } catch (error) {
    // A client that disconnects is not an error.
    if (!request.socket.destroyed) throw error;
  }
}

function setServingHeaders(response: ServerResponse, { info, headers }: ServedObject, etag: string): void {
  const served: Readonly<Record<string, string | undefined>> = {
    'Content-Type': headers.contentType,
    'Cache-Control': headers.cacheControl ?? 'no-store',
    'Content-Disposition': headers.contentDisposition,
    'Content-Security-Policy': headers.contentSecurityPolicy,
    Expires: headers.expiresAt?.toUTCString(),
    ETag: etag,
    'Last-Modified': info.modifiedAt.toUTCString(),
    'Accept-Ranges': 'bytes',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Expose-Headers': 'ETag, Accept-Ranges, Content-Range, X-Request-Id',
  };
  for (const [name, value] of Object.entries(served)) {
    if (value === undefined) response.removeHeader(name);
    else response.setHeader(name, value);
  }
}

/** Reports whether the client already has these bytes. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = ifNoneMatch.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return known.includes(etag) || known.includes('*');
}

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
