import { DomainError, invalidField } from '#kernel';
import type { IncomingMessage } from 'node:http';

/** A body of this size takes seconds on the worst of lines; who needs longer only wants to occupy us. */
const TIMEOUT_MS = 60_000;

/**
 * The whole body of a request. One that takes longer than a minute loses its connection.
 *
 * @throws DomainError `too_large` for more than `limit` bytes, `validation_failed` when it ends early
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => request.destroy(), TIMEOUT_MS);
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) break;
      chunks.push(chunk);
    }
  } catch {
    throw invalidField('body', 'ended early');
  } finally {
    clearTimeout(timer);
  }
  if (size <= limit) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
  // The rest is read and dropped: a client that is still sending gets to see the answer.
  request.resume();
  throw tooLarge(limit);
}

function tooLarge(limit: number): DomainError {
  return new DomainError('too_large', `the body must have at most ${limit} bytes`);
}
