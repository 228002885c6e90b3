import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { ObjectStorage, StoredFile } from '#files';
import { contentOf, uploadRoom, type FileStore, type InMemoryObjectStorage, type UploadRoom } from '#testing/files';
import { createDatabase, type TestDatabase } from './database.ts';
import { fileStoreOn } from './file-store.ts';

// Importing this file gives each test of a suite a room: files and uploads on a database, and a storage in memory.

export let db: TestDatabase;
let store: FileStore;
export let room: UploadRoom;
beforeAll(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
});
beforeEach(() => openRoom());
// A sweep works on all workspaces.
afterEach(async () => {
  await db.query('delete from workspaces');
  await db.query('delete from discarded_objects');
});
afterAll(() => db.drop());

/** The response headers of a stored file. */
export const headersOf = ({ key }: StoredFile) => (room.storage as InMemoryObjectStorage).headersOf(key);
/** The content of a stored file, as text. */
export const contentAt = async ({ key }: StoredFile) => (await contentOf(await room.storage.open(key))).toString();

/** Replaces the room of the test by one with these options. */
export async function openRoom(options: Partial<Parameters<typeof uploadRoom>[0]> = {}): Promise<void> {
  room = await uploadRoom({ store, ...options });
}

/** Replaces a method of the room's storage by `work`, which gets the original. Returns a function that undoes it. */
export function around<Name extends 'copy' | 'delete' | 'head' | 'put'>(
  name: Name,
  work: (original: ObjectStorage[Name], ...args: Parameters<ObjectStorage[Name]>) => ReturnType<ObjectStorage[Name]>,
): () => void {
  const original = room.storage[name].bind(room.storage) as ObjectStorage[Name];
  Object.assign(room.storage, { [name]: (...args: Parameters<ObjectStorage[Name]>) => work(original, ...args) });
  return () => Reflect.deleteProperty(room.storage, name);
}
