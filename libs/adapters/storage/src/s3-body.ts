import { Readable } from 'node:stream';
import { s3Failure } from './s3-failure.ts';

/**
 * The bytes of an answer, for a reader who may take their time; what breaks them off is the store's failure.
 *
 * @param stallMs how long the reader may have to wait for the next bytes
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
