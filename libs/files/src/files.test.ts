import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  contentOf,
  InMemoryObjectStorage,
  storedKeys,
  uploadRoom,
  type FileStore,
  type UploadRoom,
} from '#testing/files';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';
import { Files, StoredUrls, type StoredFile } from './index.ts';

let db: TestDatabase;
let store: FileStore;
let room: UploadRoom;
beforeEach(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
  room = await uploadRoom({ store });
});
afterEach(() => db.drop());

const urlOf = (file: StoredFile) => room.urls.urlOf(file.key);
const contentAt = async (file: StoredFile) => (await contentOf(await room.storage.open(file.key))).toString();
const resolve = (url: string) => room.files.resolve({ workspaceId: room.actor.workspaceId, url });

describe('storing a file', () => {
  it('publishes bytes and records them, never under a name that looks temporary', async () => {
    const file = await room.keep({ personaId: room.personaId, filename: 'x12tmp-photo.png' });
    expect(file).toMatchObject({
      personaId: room.personaId,
      origin: 'import',
      filename: 'photo.png',
      size: 9,
      contentType: 'image/png',
      expiresAt: null,
    });
    expect(await contentAt(file)).toBe('image/png');
    expect(await room.store.files.find(file.id)).toEqual(file);
  });

  it('leaves nothing when the bytes can not be published, once the sweep was there', async () => {
    const storage = new (class extends InMemoryObjectStorage {
      override async put(...args: Parameters<InMemoryObjectStorage['put']>): Promise<never> {
        await super.put(...args);
        throw new Error('the answer was lost');
      }
    })(room.clock);
    room = await uploadRoom({ store, storage, clock: room.clock });
    await expect(room.keep()).rejects.toThrow('the answer was lost');
    expect(await storedKeys(storage)).toHaveLength(1);
    room.clock.advance(3_601);
    expect(await room.sweep.run()).toMatchObject({ deleted: 1 });
    expect(await storedKeys(storage)).toEqual([]);
  });

  it('is undone by the sweep when nobody refers to the file within an hour', async () => {
    const [forgotten, used] = [await room.keep(), await room.keep()];
    await room.store.refer('training', used.id);
    room.clock.advance(3_599);
    expect(await room.sweep.run()).toMatchObject({ deleted: 0 });
    room.clock.advance(1);
    expect(await room.sweep.run()).toMatchObject({ deleted: 1 });
    expect(await room.store.files.find(forgotten.id)).toBeNull();
    expect(await storedKeys(room.storage)).toEqual([used.key]);
  });
});

describe('resolving a stored URL', () => {
  it('gives a permanent file as it is, and null for any other URL', async () => {
    const { file, url } = await room.save('photo.png', 'image/png');
    expect(await resolve(url)).toEqual(file);
    expect(await resolve('https://example.com/photo.png')).toBeNull();
    expect(await storedKeys(room.storage)).toEqual([file.key]);
  });

  it('gives a permanent copy of a temporary file, which outlives it', async () => {
    const { file, url } = await room.save('x12tmp-photo.png', 'image/png once');
    const copy = await resolve(url);
    expect(copy).toMatchObject({
      workspaceId: room.actor.workspaceId,
      personaId: null,
      origin: 'import',
      filename: 'photo.png',
      size: file.size,
      contentType: file.contentType,
      expiresAt: null,
    });
    await room.store.refer('training', copy!.id);
    room.clock.advance(43_200);
    await room.sweep.run();
    expect(await room.store.files.find(file.id)).toBeNull();
    expect(await contentAt(copy!)).toBe('image/png once');
    expect((room.storage as InMemoryObjectStorage).headersOf(copy!.key)).toEqual({
      contentType: 'image/png',
      cacheControl: 'public, max-age=315360000, immutable',
    });
    expect(await resolve(urlOf(copy!))).toEqual(copy);
  });

  it('is refused for an expired temporary file, before and after the sweep', async () => {
    const { url } = await room.save('x12tmp-photo.png', 'image/png');
    room.clock.advance(43_200);
    await expect(resolve(url)).rejects.toMatchObject({ code: 'file_expired' });
    await room.sweep.run();
    await expect(resolve(url)).rejects.toMatchObject({ code: 'file_expired' });
  });

  it('is refused for a file that is unknown, not finalized, or of another workspace, with the same error', async () => {
    const { finalUrl } = await room.send('photo.png', 'image/png');
    const { url } = await room.save('photo.png', 'image/png');
    const stranger = await room.store.newWorkspace();
    const refusals = [
      () => resolve(finalUrl),
      () => resolve(url.replace('photo', 'another')),
      () => room.files.resolve({ workspaceId: stranger.workspaceId, url }),
    ];
    for (const refusal of refusals) {
      await expect(refusal()).rejects.toMatchObject({ code: 'not_found', message: 'no such file' });
    }
  });

  it('knows URLs that were made under a former public address', async () => {
    const { file, url } = await room.save('photo.png', 'image/png');
    const moved = new StoredUrls('https://cdn.example.com', ['https://files.example.com']);
    const files = new Files(store.files, store.uploads, room.storage, moved, room.clock);
    const { workspaceId } = room.actor;
    expect(await files.resolve({ workspaceId, url })).toEqual(file);
    expect(await files.resolve({ workspaceId, url: moved.urlOf(file.key) })).toEqual(file);
    expect(await resolve(moved.urlOf(file.key))).toBeNull();
  });
});
