import { Readable } from 'node:stream';
import { DeleteObjectCommand, DeleteObjectsCommand, HeadObjectCommand } from '@aws-sdk/client-s3';
import type { ObjectHeaders, ObjectInfo } from '#files';
import type { S3Connection } from './s3-connection.ts';
import { s3Failure } from './s3-failure.ts';

/** `null` when there is no such object. */
export async function headObject(s3: S3Connection, key: string): Promise<ObjectInfo | null> {
  const found = await s3.find(new HeadObjectCommand({ Bucket: s3.bucket, Key: key }));
  if (!found) return null;
  const { ContentLength: size = 0, ETag: etag = '', LastModified: modifiedAt = new Date(0) } = found;
  return { key, size, etag, modifiedAt };
}

/** Types that browsers may show: they can't run scripts. */
const SHOWN = /^(?:image\/(?!svg)|video\/)/;

/**
 * The headers that an object is served with. A bucket sends neither a Content-Security-Policy nor `nosniff`, so what
 * could run a script is served as an attachment; pages can still embed it as an image.
 */
export function servedWith(headers: ObjectHeaders) {
  const isShown = SHOWN.test(headers.contentType) && headers.contentSecurityPolicy === undefined;
  return {
    ContentType: headers.contentType,
    CacheControl: headers.cacheControl,
    ContentDisposition: isShown ? headers.contentDisposition : 'attachment',
    Expires: headers.expiresAt,
  };
}

const BATCH = 1_000;
/** Additional time for each object: some stores delete one after the other. */
const OBJECT_MS = 20;

/** Characters that XML can't represent: one key with them would invalidate the whole list. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/;

/** @throws DomainError `unavailable`; some may be deleted then */
export async function deleteObjects(s3: S3Connection, keys: readonly string[]): Promise<void> {
  const all = [...new Set(keys)];
  const listed = all.filter((key) => !NOT_IN_XML.test(key));
  for (let start = 0; start < listed.length; start += BATCH) {
    await deleteBatch(s3, listed.slice(start, start + BATCH));
  }
  for (const Key of all.filter((key) => NOT_IN_XML.test(key))) {
    await s3.find(new DeleteObjectCommand({ Bucket: s3.bucket, Key }));
  }
}

async function deleteBatch(s3: S3Connection, keys: readonly string[]): Promise<void> {
  const { Errors = [] } = await s3.send(
    new DeleteObjectsCommand({ Bucket: s3.bucket, Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true } }),
    keys.length * OBJECT_MS,
  );
  const [failed] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
  if (!failed) return;
  const error = new Error(`${Errors.length} objects were not deleted: ${failed.Code}`);
  throw s3Failure(Object.assign(error, { name: failed.Code ?? 'Error' }));
}

/**
 * The bytes of a response for a reader who may be slow; an interruption is reported as a failure of the store.
 *
 * @param stallMs maximum wait for the next bytes
 */
export function readableOf(body: Readable, stallMs: number): Readable {
  return Readable.from(chunksOf(body, stallMs), { objectMode: false });
}

async function* chunksOf(body: Readable, stallMs: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await inTime(chunks.next(), body, stallMs);
      if (done) return;
      yield value as Buffer;
    }
  } catch (error) {
    throw s3Failure(error);
  } finally {
    body.destroy();
  }
}

async function inTime<T>(work: Promise<T>, body: Readable, stallMs: number): Promise<T> {
  const timer = setTimeout(() => {
    body.destroy(Object.assign(new Error('the bytes stopped coming'), { name: 'TimeoutError' }));
  }, stallMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
