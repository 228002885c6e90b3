import type { DiskObjectStorage } from '#adapters/storage';

/** Sends bytes to a URL that the disk store signed, as its route does. */
export async function sendToDisk(storage: DiskObjectStorage, url: string, bytes: Buffer): Promise<void> {
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
