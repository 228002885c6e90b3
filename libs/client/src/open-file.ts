import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The bytes of a file, read as they are sent. */
export async function openFile(path: string): Promise<{ blob: Blob; name: string }> {
  return { blob: (await openAsBlob(path)) as Blob, name: basename(path) };
}

/** Writes a stream to a file, which is there only when it is whole. */
export async function saveFile(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(stream as never, createWriteStream(part));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
