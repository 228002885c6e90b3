import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';

/** The bytes of a file, read as they are sent. */
export async function openFile(path: string): Promise<{ blob: Blob; name: string }> {
  return { blob: (await openAsBlob(path)) as Blob, name: basename(path) };
}
