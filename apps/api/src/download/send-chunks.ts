import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A client that takes nothing for this long has left. */
const STALL_MS = 60_000;

let running = 0;

/** Zips that this process sends now. */
export const runningZips = (): number => running;

/**
 * Sends chunks as the client takes them. When it leaves or stops reading, the chunks are left, and what they read from ends.
 *
 * @throws the error of the chunks, after closing the connection: the client sees that its file is not whole
 */
export async function sendChunks(
  response: ServerResponse,
  chunks: AsyncIterable<Uint8Array>,
  stallMs = STALL_MS,
): Promise<void> {
  let hasLeft = false;
  response.once('close', () => (hasLeft = !response.writableFinished));
  response.setTimeout(stallMs, () => response.destroy());
  running++;
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), response);
  } catch (error) {
    if (!hasLeft || (error as { code?: string }).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  } finally {
    running--;
  }
}
