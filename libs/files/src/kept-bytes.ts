import { forEach } from '#kernel';
import { keptKey, placeOf } from './domain/object-key.ts';
import type { ObjectStorage, PlacedKey } from './ports.ts';

/** Objects that are moved at the same time, each by calls of its own. */
const MOVED_AT_ONCE = 16;

type Storage = Pick<ObjectStorage, 'copy' | 'delete'>;

/** Moves the bytes of deleted files to the place of kept bytes. Idempotent; missing objects are no error. */
export function keepBytes(storage: Storage, keys: readonly string[]): Promise<readonly string[]> {
  return move(
    storage,
    keys.map((key) => ({ key, from: key, to: keptKey(key) })),
  );
}

/**
 * Moves kept bytes back to the places of their files. Idempotent.
 *
 * @returns the keys whose bytes were kept
 */
export function bringBackBytes(storage: Storage, files: readonly PlacedKey[]): Promise<readonly string[]> {
  return move(
    storage,
    files.map((file) => ({ key: file.key, from: keptKey(file.key), to: placeOf(file) })),
  );
}

async function move(
  storage: Storage,
  ways: readonly { readonly key: string; readonly from: string; readonly to: string }[],
): Promise<readonly string[]> {
  const moved: (typeof ways)[number][] = [];
  await forEach(ways, MOVED_AT_ONCE, async (way) => {
    if (await storage.copy(way.from, way.to, {})) moved.push(way);
  });
  await storage.delete(moved.map(({ from }) => from));
  return moved.map(({ key }) => key);
}
