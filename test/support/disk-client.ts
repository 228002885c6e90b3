import { mkdtemp, rm } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskObjectStorage } from '#adapters/storage';
import type { Clock } from '#kernel';

/** A disk store in a folder of its own, and how clients send bytes to it. */
export async function temporaryDisk(clock: Clock) {
  const root = await mkdtemp(join(tmpdir(), 'x12-storage-'));
  const storage = new DiskObjectStorage({ root, publicUrl: 'http://localhost', secret: 'x'.repeat(32), clock });
  return {
    root,
    storage,
    send: (url: string, bytes: Buffer) => sendToDisk(storage, url, bytes),
    fetch: (url: string) => readFromDisk(storage, url),
    drop: () => rm(root, { recursive: true }),
  };
}

/** Reads from a URL that the disk store signed, as its route does. */
async function readFromDisk(storage: DiskObjectStorage, url: string): Promise<Buffer | null> {
  const { pathname, search } = new URL(url);
  const key = decodeURIComponent(pathname.replace(/^\/storage\//, ''));
  const bytes = storage.mayRead(key, search.slice(1)) ? await storage.open(key) : null;
  return bytes && buffer(bytes);
}

/** Sends bytes to a URL that the disk store signed, as its route does. */
async function sendToDisk(storage: DiskObjectStorage, url: string, bytes: Buffer): Promise<void> {
  const { pathname, search } = new URL(url);
  const permission = storage.permissionOf(pathname.replace(/^\/storage\//, ''), search.slice(1));
  if (!permission) throw new Error('the URL is not signed');
  await storage.receive(
    permission,
    (async function* () {
      yield bytes;
    })(),
  );
}
