import { forEach } from '#kernel';
import { keptKey } from './domain/object-key.ts';
import type { ObjectStorage } from './ports.ts';

/** Objects that are moved at the same time, each by calls of its own. */
const MOVED_AT_ONCE = 16;

type Storage = Pick<ObjectStorage, 'copy' | 'delete'>;

/** Moves the bytes of deleted files out of the public prefix. Idempotent; missing objects are no error. */
export function keepBytes(storage: Storage, keys: readonly string[]): Promise<readonly string[]> {
  return move(storage, keys, (key) => ({ from: key, to: keptKey(key) }));
}

/**
 * Moves kept bytes back to the keys of their files. Idempotent.
 *
 * @returns the keys whose bytes were kept
 */
export function bringBackBytes(storage: Storage, keys: readonly string[]): Promise<readonly string[]> {
  return move(storage, keys, (key) => ({ from: keptKey(key), to: key }));
}

async function move(
  storage: Storage,
  keys: readonly string[],
  way: (key: string) => { readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  const moved: string[] = [];
  await forEach(keys, MOVED_AT_ONCE, async (key) => {
    const { from, to } = way(key);
    if (await storage.copy(from, to, {})) moved.push(key);
  });
  await storage.delete(moved.map((key) => way(key).from));
  return moved;
}
