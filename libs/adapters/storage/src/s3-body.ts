import { Readable } from 'node:stream';
import { s3Failure } from './s3-failure.ts';

/** Bytes that are waited for must come within this time. */
const STALL_MS = 20_000;

/** The bytes of an answer, for a reader who may take their time; what breaks them off is the store's failure. */
export function readableOf(body: Readable): Readable {
  return Readable.from(chunksOf(body), { objectMode: false });
}

async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await inTime(chunks.next(), body);
      if (done) return;
      yield value as Buffer;
    }
  } catch (error) {
    throw s3Failure(error);
  } finally {
    body.destroy();
  }
}

async function inTime<T>(work: Promise<T>, body: Readable): Promise<T> {
  const timer = setTimeout(() => {
    body.destroy(Object.assign(new Error('the bytes stopped coming'), { name: 'TimeoutError' }));
  }, STALL_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
