import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '#kernel';
import { Personas } from '#persona';
import {
  contentOf,
  storedKeys,
  uploadRoom,
  type FileStore,
  type InMemoryObjectStorage,
  type UploadRoom,
} from '#testing/files';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';
import { keptKey, type ObjectStorage, type StoredFile } from './index.ts';

const { signal } = new AbortController();
const HOUR = 3_600;
const DAY = 24 * HOUR;

let db: TestDatabase;
let store: FileStore;
let room: UploadRoom;
beforeAll(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
});
beforeEach(async () => {
  room = await uploadRoom({ store });
});
// A sweep works on all workspaces.
afterEach(async () => {
  await db.query('delete from workspaces');
  await db.query('delete from discarded_objects');
});
afterAll(() => db.drop());

/** Replaces a method of the room's storage by `work`, which gets the original. Returns a function that undoes it. */
function around<Name extends 'copy' | 'delete' | 'head' | 'put'>(
  name: Name,
  work: (original: ObjectStorage[Name], ...args: Parameters<ObjectStorage[Name]>) => ReturnType<ObjectStorage[Name]>,
): () => void {
  const original = room.storage[name].bind(room.storage) as ObjectStorage[Name];
  Object.assign(room.storage, { [name]: (...args: Parameters<ObjectStorage[Name]>) => work(original, ...args) });
  return () => Reflect.deleteProperty(room.storage, name);
}

const keyOf = (url: string) => room.urls.keyOf(url)!;
const finalize = (url: string) => room.finalize(url);
/** Sends a file as a whole, or in one part for each of the contents. */
const sendAs = (filename: string, contents: readonly string[]) =>
  contents.length === 1 ? room.send(filename, contents[0]!) : room.sendParts(filename, contents);
const headersOf = (file: StoredFile) => (room.storage as InMemoryObjectStorage).headersOf(file.key);
const contentAt = async (file: StoredFile) => (await contentOf(await room.storage.open(file.key))).toString();

describe('an upload without a persona', () => {
  const personas = () => db.query('select id, name from personas where deletion_id is null');

  it('creates one if the user has none, and only one for concurrent uploads', async () => {
    await room.allocate({ filename: 'a.png' });
    expect(await personas()).toEqual([{ id: room.personaId, name: 'Default' }]);
    await room.store.deletePersona(room.personaId);
    const tickets = await Promise.all(Array.from({ length: 8 }, () => room.allocate({ filename: 'a.png' })));
    expect(await personas()).toEqual([{ id: expect.any(Number), name: 'Default' }]);
    await room.put(tickets[0]!, 'image/png');
    expect((await finalize(tickets[0]!.finalUrl)).file.personaId).not.toBe(room.personaId);
  });

  it('is refused if that persona is deleted right away', async () => {
    await room.store.deletePersona(room.personaId);
    const createDefault = jest.spyOn(Personas.prototype, 'createDefault').mockResolvedValue();
    await expect(room.allocate({ filename: 'a.png' })).rejects.toMatchObject({ code: 'no_persona' });
    createDefault.mockRestore();
  });
});

describe('uploads that are allocated together', () => {
  it('get one ticket each, in their order, for one persona that is created if there is none', async () => {
    await room.store.deletePersona(room.personaId);
    const requests = [{ filename: 'a.png' }, { filename: 'x12tmp-b.mp4', parts: 2 }, { filename: 'c.png' }];
    const tickets = await room.allocateAll(requests);
    expect(tickets.map(({ key }) => key.split('/').at(-1))).toEqual(['a.png', 'x12tmp-b.mp4', 'c.png']);
    expect(tickets.map(({ partUrls }) => partUrls?.length)).toEqual([undefined, 2, undefined]);
    expect(await db.query('select distinct persona_id is null as is_null from uploads')).toEqual([{ is_null: false }]);
  });

  it.each([
    [
      { filename: '.png' },
      { code: 'validation_failed', fields: { 'files[1].filename': ['must not start with a dot'] } },
    ],
    [{ filename: 'a.exe' }, { code: 'unsupported_file_type', message: /^files\[1\]: filename must end in/ }],
    [
      { filename: 'a.png', personaId: 999_999_999 },
      { code: 'not_found', message: 'files[1]: no such persona' },
    ],
    [
      { filename: 'a.png', parts: 9_999 },
      { code: 'validation_failed', message: /10000 parts/ },
    ],
  ])('are all refused when one is invalid, and the error names it: %j', async (bad, refusal) => {
    const whole = { filename: 'a.png', parts: 1 };
    await expect(room.allocateAll([whole, bad, whole])).rejects.toMatchObject(refusal);
    expect(await db.query('select from uploads')).toEqual([]);
    await room.allocateAll([whole, { filename: 'a.png', parts: 9_999 }]);
  });
});

describe('finalizing an upload', () => {
  beforeEach(async () => {
    room = await uploadRoom({ store, rules: { maxBytes: 100 } });
  });

  it('saves the bytes as a permanent file of the persona, ignores later PUTs, and leaves nothing else', async () => {
    const ticket = await room.send('a.png', 'image/png of mine');
    const { finalUrl } = ticket;
    const { url, file } = await finalize(finalUrl);
    expect(url).toBe(finalUrl);
    expect(file).toEqual({
      id: file.id,
      workspaceId: room.actor.workspaceId,
      personaId: room.personaId,
      origin: 'upload',
      key: keyOf(finalUrl),
      filename: 'a.png',
      size: 17,
      contentType: 'image/png',
      createdAt: room.clock.now(),
      expiresAt: null,
    });
    expect(await storedKeys(room.storage)).toEqual([file.key]);
    expect(headersOf(file)).toMatchObject({ contentType: 'image/png' });
    await room.put(ticket, 'image/png but another');
    room.clock.advance(30 * DAY);
    expect(await finalize(finalUrl)).toEqual({ url, file });
    expect(await contentAt(file)).toBe('image/png of mine');
  });

  it('starts the 12 hours of a temporary file, and reports it as expired afterwards', async () => {
    const { finalUrl } = await room.send('x12tmp-a.png', 'image/png');
    room.clock.advance(1000);
    const { file } = await finalize(finalUrl);
    expect(file.expiresAt).toEqual(new Date(room.clock.now().getTime() + 43_200_000));
    expect(headersOf(file)).toMatchObject({ cacheControl: 'public', expiresAt: file.expiresAt });
    room.clock.advance(43_199);
    expect((await finalize(finalUrl)).file).toEqual(file);
    room.clock.advance(1);
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'file_expired' });
    await room.deletion.sweep();
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'file_expired' });
    room.clock.advance(30 * 86_400);
    await room.deletion.sweep();
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([[['image/png'.padEnd(100)]], [['image/png'.padEnd(60), 'x'.repeat(40)]]])(
    'accepts bytes up to the limit, as a whole or in parts',
    async (contents) => {
      const { finalUrl } = await sendAs('a.png', contents);
      expect((await finalize(finalUrl)).file.size).toBe(100);
    },
  );

  it.each([
    ['too_large', ['image/png'.padEnd(101)]],
    ['too_large', ['image/png'.padEnd(60), 'x'.repeat(41)]],
    ['file_type_mismatch', ['image/jpeg']],
    ['file_type_mismatch', ['NOTHING']],
    ['file_type_mismatch', ['']],
    ['file_type_mismatch', ['text/plain', ' of two parts']],
  ])('refuses with %s and deletes the bytes %j', async (code, contents) => {
    const { finalUrl } = await sendAs('a.png', contents);
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code });
    expect(await storedKeys(room.storage)).toEqual([]);
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'not_uploaded' });
  });

  it.each([
    ['jpg', 'image/jpeg'],
    ['jpeg', 'image/jpeg'],
    ['tif', 'image/tiff'],
    ['tiff', 'image/tiff'],
  ])('knows the type of .%s', async (extension, contentType) => {
    expect((await room.save(`a.${extension}`, contentType)).file).toMatchObject({ contentType });
  });

  describe('of a picture whose metadata is removed', () => {
    const sent = 'image/png at 52.5, 13.4';
    beforeEach(async () => {
      room = await uploadRoom({ store, rules: { metadata: 'strip' } });
    });

    it.each(['a.png', 'x12tmp-a.png'])('publishes and counts the bytes without metadata: %s', async (name) => {
      const ticket = await room.send(name, sent);
      const { file } = await finalize(ticket.finalUrl);
      expect([file.size, await contentAt(file)]).toEqual([9, 'image/png']);
      expect(headersOf(file)).toMatchObject({ contentType: 'image/png' });
      expect(await storedKeys(room.storage)).toEqual([file.key]);
      await room.put(ticket, sent);
      expect((await finalize(ticket.finalUrl)).file).toEqual(file);
      expect(await contentAt(file)).toBe('image/png');
    });

    it.each([
      ['copy', 'staging/'],
      ['put', 'frozen/'],
      ['copy', 'frozen/'],
    ])('gives the same result when it is repeated after a failure of the %s of %s', async (name, prefix) => {
      const { finalUrl } = await room.send('a.png', sent);
      const away = () => Promise.reject(new DomainError('unavailable', 'the storage is away'));
      const ends = [
        around('delete', away),
        around(name as 'copy', async (original, key, ...more) => {
          const done = await original(key, ...more);
          return key.startsWith(prefix) ? away() : done;
        }),
      ];
      await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'unavailable' });
      for (const end of ends) end();
      const { file } = await finalize(finalUrl);
      expect([file.size, await contentAt(file)]).toEqual([9, 'image/png']);
    });

    it('makes one file from concurrent calls', async () => {
      for (let round = 0; round < 20; round++) {
        const { finalUrl } = await room.send('a.png', sent);
        const saved = await Promise.all(Array.from({ length: 5 }, () => finalize(finalUrl)));
        expect(new Set(saved.map(({ file }) => file.id)).size).toBe(1);
        expect(await contentAt(saved[0]!.file)).toBe('image/png');
      }
    });

    it('refuses a broken picture, and deletes its bytes', async () => {
      const { finalUrl } = await room.send('a.png', 'image/png broken');
      await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'file_type_mismatch' });
      expect(await storedKeys(room.storage)).toEqual([]);
    });
  });

  it('checks the bytes that were stored when it was called, not later ones', async () => {
    let replaced = 0;
    around('copy', async (copy, from, ...more) => {
      const copied = await copy(from, ...more);
      if (from.startsWith('staging/') && replaced++ === 0) {
        await room.storage.put(from, { bytes: Buffer.from('text/html <script>') }, { contentType: 'text/html' });
      }
      return copied;
    });
    const { file } = await room.save('a.png', 'image/png');
    expect(replaced).toBe(1);
    expect([file.size, await contentAt(file)]).toEqual([9, 'image/png']);
  });

  it('checks again when the bytes are replaced meanwhile, and stops when they keep changing', async () => {
    let replacements = 0;
    around('head', async (head, key) => {
      const info = await head(key);
      if (key.startsWith('staging/') && replacements-- > 0) {
        await room.storage.put(key, { bytes: Buffer.from(`image/png ${replacements}`) }, { contentType: 'any/thing' });
      }
      return info;
    });
    const { finalUrl } = await room.send('a.png', 'image/png');
    replacements = 1000;
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'conflict' });
    replacements = 3;
    expect((await finalize(finalUrl)).file.size).toBe('image/png 0'.length);
    expect(await storedKeys(room.storage)).toEqual([keyOf(finalUrl)]);
  });

  it('finds only uploads of the workspace', async () => {
    const { finalUrl } = await room.send('a.png', 'image/png');
    const outsider = { ...room.actor, ...(await room.store.newWorkspace()) };
    const refusals = [
      () => room.finalize(finalUrl, outsider),
      () => finalize(finalUrl.replace('a.png', 'b.png')),
      () => finalize('https://example.com/files/a/b.png'),
      () => finalize('nonsense'),
    ];
    for (const refusal of refusals) {
      await expect(refusal()).rejects.toMatchObject({ code: 'not_found', message: 'no such upload' });
    }
  });

  it('deletes the published bytes when the persona is deleted meanwhile', async () => {
    around('copy', async (copy, from, to, options) => {
      if (to.startsWith('files/')) await room.store.deletePersona(room.personaId);
      return copy(from, to, options);
    });
    const { finalUrl } = await room.send('a.png', 'image/png');
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'not_found' });
    expect(await storedKeys(room.storage)).toEqual([]);
  });

  it('succeeds even if the leftovers can not be deleted, and the sweep deletes them', async () => {
    const undo = around('delete', () => Promise.reject(new Error('unreachable')));
    const { file } = await room.save('a.png', 'image/png');
    expect(await storedKeys(room.storage)).toHaveLength(3);
    undo();
    room.clock.advance(2 * 3600);
    await room.deletion.sweep();
    expect(await storedKeys(room.storage)).toEqual([file.key]);
  });
});

const resolve = (url: string) => room.files.resolve({ workspaceId: room.actor.workspaceId, url });

describe('storing a file', () => {
  it('publishes and records bytes, never under a temporary name', async () => {
    const file = await room.keep({ personaId: room.personaId, filename: 'x12tmp-photo.png' });
    const { personaId } = room;
    const facts = { personaId, origin: 'import', filename: 'photo.png', size: 9, contentType: 'image/png' };
    expect(file).toMatchObject({ ...facts, expiresAt: null });
    expect(await contentAt(file)).toBe('image/png');
    expect(await room.store.files.find(file.id)).toEqual(file);
  });

  it('leaves nothing after the next sweep when the bytes can not be published', async () => {
    around('put', async (put, ...args) => {
      await put(...args);
      throw new Error('the response was lost');
    });
    await expect(room.keep()).rejects.toThrow('the response was lost');
    expect(await storedKeys(room.storage)).toHaveLength(1);
    room.clock.advance(3_601);
    expect(await room.deletion.sweep()).toMatchObject({ deleted: 1 });
    expect(await storedKeys(room.storage)).toEqual([]);
  });

  it('is undone by the sweep when nothing refers to the file within an hour', async () => {
    const [forgotten, used] = [await room.keep(), await room.keep()];
    await room.store.refer('training', used.id);
    room.clock.advance(3_599);
    expect(await room.deletion.sweep()).toMatchObject({ deleted: 0 });
    room.clock.advance(1);
    expect(await room.deletion.sweep()).toMatchObject({ deleted: 1 });
    expect(await room.store.files.find(forgotten.id)).toBeNull();
    expect(await storedKeys(room.storage)).toEqual([used.key]);
  });
});

describe('reading a stored file', () => {
  it('returns its bytes up to the given limit, and null once they are gone', async () => {
    const { key, size } = await room.keep();
    const read = async (maxBytes: number) => (await room.files.read(key, maxBytes))?.toString() ?? null;
    expect([await read(size), await read(size - 1)]).toEqual(['image/png', null]);
    await room.storage.delete([key]);
    expect(await read(size)).toBeNull();
  });
});

describe('resolving a stored URL', () => {
  it('returns a permanent file as it is, and null for any other URL', async () => {
    const { file, url } = await room.save('photo.png', 'image/png');
    expect(await resolve(url)).toEqual(file);
    expect(await resolve('https://example.com/photo.png')).toBeNull();
    expect(await storedKeys(room.storage)).toEqual([file.key]);
  });

  it('returns a permanent copy of a temporary file until this expires, and the copy outlives it', async () => {
    const { file, url } = await room.save('x12tmp-photo.png', 'image/png once');
    const copy = (await resolve(url))!;
    expect(copy).toMatchObject({
      workspaceId: room.actor.workspaceId,
      personaId: null,
      origin: 'import',
      filename: 'photo.png',
      size: file.size,
      contentType: file.contentType,
      expiresAt: null,
    });
    await room.store.refer('training', copy.id);
    room.clock.advance(12 * HOUR);
    await expect(resolve(url)).rejects.toMatchObject({ code: 'file_expired' });
    await room.deletion.sweep();
    await expect(resolve(url)).rejects.toMatchObject({ code: 'file_expired' });
    expect(await room.store.files.find(file.id)).toBeNull();
    expect(await contentAt(copy)).toBe('image/png once');
    expect(headersOf(copy)).toEqual({ contentType: 'image/png', cacheControl: 'public, max-age=315360000, immutable' });
    expect(await resolve(room.urls.urlOf(copy.key))).toEqual(copy);
  });

  it('is refused for a file that is unknown, not finalized, or of another workspace, with the same error', async () => {
    const { finalUrl } = await room.send('photo.png', 'image/png');
    const { url } = await room.save('photo.png', 'image/png');
    const outsider = await room.store.newWorkspace();
    const refusals = [
      () => resolve(finalUrl),
      () => resolve(url.replace('photo', 'another')),
      () => room.files.resolve({ workspaceId: outsider.workspaceId, url }),
    ];
    for (const refusal of refusals) {
      await expect(refusal()).rejects.toMatchObject({ code: 'not_found', message: 'no such file' });
    }
  });
});

describe('the sweep', () => {
  it('deletes temporary files when they expire, not before', async () => {
    await room.save('x12tmp-a.png', 'image/png');
    const { file } = await room.save('b.png', 'image/png');
    room.clock.advance(12 * HOUR - 1);
    expect(await room.deletion.sweep()).toEqual({ expired: 0, deleted: 0, uploads: 2, abandoned: 0 });
    expect(await room.deletion.sweep()).toEqual({ expired: 0, deleted: 0, uploads: 0, abandoned: 0 });
    room.clock.advance(1);
    expect(await room.deletion.sweep()).toMatchObject({ expired: 1, deleted: 1 });
    expect(await storedKeys(room.storage)).toEqual([file.key]);
  });

  it('drops uploads that were not finalized within a day, with their bytes', async () => {
    const tickets = [await room.send('a.png', 'image/png'), await room.sendParts('a.png', ['image/png', 'b'])];
    room.clock.advance(DAY - 1);
    expect(await room.deletion.sweep()).toMatchObject({ uploads: 0 });
    expect(await storedKeys(room.storage)).toHaveLength(1);
    room.clock.advance(1);
    expect(await room.deletion.sweep()).toMatchObject({ uploads: 2 });
    expect(await storedKeys(room.storage)).toEqual([]);
    for (const { finalUrl } of tickets) {
      await expect(room.finalize(finalUrl)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('deletes bytes sent after finalizing, once the URL has expired', async () => {
    const ticket = await room.send('a.png', 'image/png');
    const { file } = await room.finalize(ticket.finalUrl);
    await room.put(ticket, 'image/png late');
    room.clock.advance(2 * HOUR);
    await room.deletion.sweep();
    expect(await storedKeys(room.storage)).toEqual([file.key]);
    expect(await room.deletion.sweep()).toMatchObject({ uploads: 0 });
    expect((await room.finalize(ticket.finalUrl)).file).toEqual(file);
  });

  it('deletes abandoned frozen bytes, but no recent ones', async () => {
    const put = (key: string) => room.storage.put(key, { bytes: Buffer.from('x') }, { contentType: 'a/b' });
    await put('frozen/old.1');
    room.clock.advance(HOUR + 1);
    await put('frozen/young.1');
    expect(await room.deletion.sweep()).toMatchObject({ abandoned: 1 });
    expect(await storedKeys(room.storage)).toEqual(['frozen/young.1']);
  });

  it('processes more than one batch', async () => {
    room = await uploadRoom({ store, batchSize: 2 });
    for (let count = 0; count < 3; count++) {
      await room.save('x12tmp-a.png', 'image/png');
      await room.send('b.png', 'image/png');
    }
    room.clock.advance(DAY);
    const report = await room.deletion.sweep();
    expect(report).toEqual({ expired: 3, deleted: 3, uploads: 6, abandoned: 0 });
    expect(await storedKeys(room.storage)).toEqual([]);
  });

  it('continues later where it was aborted or the storage was unavailable', async () => {
    await room.save('x12tmp-a.png', 'image/png');
    room.clock.advance(DAY);
    await expect(room.deletion.sweep(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    const undo = around('delete', async (remove, keys) => {
      if (keys.length > 0) throw new DomainError('unavailable', 'away');
      return remove(keys);
    });
    await expect(room.deletion.sweep()).rejects.toMatchObject({ code: 'unavailable' });
    expect((await storedKeys(room.storage)).length).toBeGreaterThan(0);
    undo();
    await room.deletion.sweep();
    expect(await storedKeys(room.storage)).toEqual([]);
  });
});

it('deleting unneeded files keeps the referenced ones', async () => {
  const [unneeded, referred] = [await room.keep(), await room.keep()];
  const forgotten = await room.keep({ origin: 'output', personaId: room.personaId });
  const { file: upload } = await room.save('a.png', 'image/png');
  await room.store.refer('image of an open generation', referred.id);
  const fileIds = [unneeded, referred, forgotten, upload].map((file) => file.id);
  await room.deletion.deleteUnneeded(fileIds, signal);
  expect(await storedKeys(room.storage)).toEqual([referred.key, upload.key].sort());
  await room.store.unrefer(referred.id);
  for (let time = 0; time < 2; time++) await room.deletion.deleteUnneeded(fileIds, signal);
  expect(await storedKeys(room.storage)).toEqual([upload.key]);
  expect(room.jobs.announced).toEqual([]);
});

describe('the bytes of a deleted file', () => {
  const keptKeys = async () => (await storedKeys(room.storage)).filter((key) => key.startsWith('kept/'));

  it('leave the public prefix at once, and are deleted after their grace period', async () => {
    room = await uploadRoom({ store, graceDays: 7 });
    const { key, id } = await room.keep();
    await room.deletion.deleteUnneeded([id], signal);
    expect(await storedKeys(room.storage)).toEqual([keptKey(key)]);
    room.clock.advance(7 * DAY - 1);
    await room.deletion.sweep();
    expect(await keptKeys()).toEqual([keptKey(key)]);
    room.clock.advance(1);
    expect(await room.deletion.sweep()).toMatchObject({ deleted: 1 });
    expect(await storedKeys(room.storage)).toEqual([]);
  });

  it('are moved even after interruptions', async () => {
    room = await uploadRoom({ store, graceDays: 7 });
    const { key, id } = await room.keep();
    for (const name of ['copy', 'delete'] as const) {
      const restore = around(name, async (_original, ...[first]) => {
        if (first.length > 0) throw new DomainError('unavailable', 'the storage is away');
        return null as never;
      });
      await expect(room.deletion.deleteUnneeded([id], signal)).rejects.toMatchObject({ code: 'unavailable' });
      restore();
    }
    await room.deletion.sweep();
    expect(await storedKeys(room.storage)).toEqual([keptKey(key)]);
  });

  it('are kept only of permanent files: not of expired or unfinished uploads of a deleted persona', async () => {
    room = await uploadRoom({ store, graceDays: 7 });
    await room.save('x12tmp-expires.png', 'image/png');
    await room.send('unfinished.png', 'image/png');
    room.clock.advance(DAY);
    await room.deletion.sweep();
    expect(await storedKeys(room.storage)).toEqual([]);
    const { file } = await room.save('stays.png', 'image/png');
    await room.save('x12tmp-expires.png', 'image/png');
    await room.store.deletePersona(room.personaId, new Date(room.clock.now().getTime() + DAY * 1000));
    await room.purgePersona(room.personaId);
    expect(await storedKeys(room.storage)).toEqual([keptKey(file.key)]);
  });
});

it('purging a persona deletes all its files in batches, except files that others use', async () => {
  room = await uploadRoom({ store, batchSize: 2 });
  const { file: used, url } = await room.save('used.png', 'image/png');
  const { file: unused } = await room.save('unused.png', 'image/png');
  await room.save('x12tmp-a.png', 'image/png');
  await room.keep({ personaId: room.personaId });
  const sent = await room.send('sent.png', 'image/png');
  await room.allocate({ filename: 'allocated.png' });
  await room.store.refer('training', used.id);
  const other = await room.store.newPersona(room.actor);
  await room.store.deletePersona(room.personaId);

  await room.purgePersona(room.personaId);
  expect(await storedKeys(room.storage)).toEqual([used.key]);
  expect(await room.store.files.find(unused.id)).toBeNull();
  expect(await room.store.files.find(used.id)).toEqual({ ...used, personaId: null });
  expect(await room.store.hasPersona(room.personaId)).toBe(false);
  expect(await room.store.hasPersona(other)).toBe(true);
  expect(room.jobs.announced).toEqual([]);
  expect((await resolve(url))?.id).toBe(used.id);
  await expect(room.finalize(sent.finalUrl)).rejects.toMatchObject({ code: 'not_found' });

  await room.purgePersona(room.personaId);
  await room.store.unrefer(used.id);
  await room.deletion.deleteUnneeded([used.id], signal);
  expect(await storedKeys(room.storage)).toEqual([]);
});

it('a part that is too small, other than the last, is refused until it is sent again', async () => {
  room = await uploadRoom({ store, rules: { minPartBytes: 10 } });
  const ticket = await room.sendParts('a.png', ['image/png', '-']);
  await expect(finalize(ticket.finalUrl)).rejects.toMatchObject({
    code: 'not_uploaded',
    message: expect.stringMatching(/part 1 again/),
  });
  await room.sendParts('b.png', ['image/png ', '-']).then(({ finalUrl }) => finalize(finalUrl));
});
