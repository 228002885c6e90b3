import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryObjectStorage, storedKeys, uploadRoom, type FileStore, type UploadRoom } from '#testing/files';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';

let db: TestDatabase;
let store: FileStore;
let room: UploadRoom;
beforeEach(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
  room = await uploadRoom({ store, rules: { maxBytes: 100 } });
});
afterEach(() => db.drop());

const keyOf = (url: string) => room.urls.keyOf(url)!;
const finalize = (url: string) => room.finalize(url);
/** Sends a file as a whole, or in as many parts as there are contents. */
const sendAs = (filename: string, contents: readonly string[]) =>
  contents.length === 1 ? room.send(filename, contents[0]!) : room.sendParts(filename, contents);
const headersOf = (url: string) => (room.storage as InMemoryObjectStorage).headersOf(keyOf(url));

describe('finalizing an upload', () => {
  it('saves the bytes as a file of the persona, and nothing else stays', async () => {
    const { finalUrl } = await room.send('a.png', 'image/png of mine');
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
    expect(headersOf(url)).toMatchObject({ contentType: 'image/png' });
  });

  it('answers the same again, whatever was sent since', async () => {
    const ticket = await room.send('a.png', 'image/png');
    const first = await finalize(ticket.finalUrl);
    await room.put(ticket, 'image/png but another');
    room.clock.advance(30 * 86_400);
    expect(await finalize(ticket.finalUrl)).toEqual(first);
    expect((await room.storage.head(first.file.key))?.size).toBe(9);
  });

  it('starts the 12 hours of a temporary file, and knows afterwards that it was there', async () => {
    const { finalUrl } = await room.send('x12tmp-a.png', 'image/png');
    room.clock.advance(1000);
    const { file, url } = await finalize(finalUrl);
    expect(file.expiresAt).toEqual(new Date(room.clock.now().getTime() + 43_200_000));
    expect(headersOf(url)).toMatchObject({ cacheControl: 'public', expiresAt: file.expiresAt });
    room.clock.advance(43_199);
    expect((await finalize(finalUrl)).file).toEqual(file);
    room.clock.advance(1);
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'file_expired' });
    await room.sweep.run();
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'file_expired' });
    room.clock.advance(30 * 86_400);
    await room.sweep.run();
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([[['image/png'.padEnd(100)]], [['image/png'.padEnd(60), 'x'.repeat(40)]]])(
    'takes bytes up to the limit, as a whole or in parts',
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
    ['jpg', 'jpeg', 'image/jpeg'],
    ['tif', 'tiff', 'image/tiff'],
  ])('knows that .%s and .%s are one type', async (one, other, contentType) => {
    for (const extension of [one, other]) {
      const { file } = await room.save(`a.${extension}`, contentType);
      expect(file.contentType).toBe(contentType);
    }
  });

  it('looks at the bytes that were there when it was called, not at later ones', async () => {
    const storage = new (class extends InMemoryObjectStorage {
      override async copy(...[from, to, options]: Parameters<InMemoryObjectStorage['copy']>) {
        const copied = await super.copy(from, to, options);
        if (from.startsWith('staging/')) await replaceOnce(from);
        return copied;
      }
    })(room.clock);
    let replaced = false;
    const replaceOnce = async (key: string) => {
      if (replaced) return;
      replaced = true;
      await storage.put(key, { bytes: Buffer.from('text/html <script>') }, { contentType: 'text/html' });
    };
    room = await uploadRoom({ store, storage, clock: room.clock });
    const { file } = await room.save('a.png', 'image/png');
    expect(replaced).toBe(true);
    expect(file.size).toBe(9);
    expect((await storage.head(file.key))?.size).toBe(9);
  });

  it('looks again when the bytes are replaced while it looks, and gives up when that never ends', async () => {
    let replacements = 0;
    const storage = new (class extends InMemoryObjectStorage {
      override async head(key: string) {
        const info = await super.head(key);
        if (key.startsWith('staging/') && replacements-- > 0) {
          await this.put(key, { bytes: Buffer.from(`image/png ${replacements}`) }, { contentType: 'any/thing' });
        }
        return info;
      }
    })(room.clock);
    room = await uploadRoom({ store, storage, clock: room.clock });
    const { finalUrl } = await room.send('a.png', 'image/png');
    replacements = 1000;
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'conflict' });
    replacements = 3;
    expect((await finalize(finalUrl)).file.size).toBe('image/png 0'.length);
    expect(await storedKeys(storage)).toEqual([keyOf(finalUrl)]);
  });

  it('knows only the uploads of the workspace', async () => {
    const { finalUrl } = await room.send('a.png', 'image/png');
    const stranger = { ...room.actor, ...(await room.store.newWorkspace()) };
    const refusals = [
      () => room.finalize(finalUrl, stranger),
      () => finalize(finalUrl.replace('a.png', 'b.png')),
      () => finalize('https://example.com/files/a/b.png'),
      () => finalize('nonsense'),
    ];
    for (const refusal of refusals) {
      await expect(refusal()).rejects.toMatchObject({ code: 'not_found', message: 'no such upload' });
    }
  });

  it('saves nothing for a persona that was deleted', async () => {
    const { finalUrl } = await room.send('a.png', 'image/png');
    await room.store.deletePersona(room.personaId);
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('takes back what it has published when the persona is deleted in between', async () => {
    const storage = new (class extends InMemoryObjectStorage {
      override async copy(...[from, to, options]: Parameters<InMemoryObjectStorage['copy']>) {
        if (to.startsWith('files/')) await room.store.deletePersona(room.personaId);
        return super.copy(from, to, options);
      }
    })(room.clock);
    room = await uploadRoom({ store, storage, clock: room.clock });
    const { finalUrl } = await room.send('a.png', 'image/png');
    await expect(finalize(finalUrl)).rejects.toMatchObject({ code: 'not_found' });
    expect(await storedKeys(storage)).toEqual([]);
  });

  it('is done even if the leftovers can not be deleted, and the sweep deletes them', async () => {
    let broken = true;
    const storage = new (class extends InMemoryObjectStorage {
      override async delete(keys: readonly string[]) {
        if (broken) throw new Error('unreachable');
        return super.delete(keys);
      }
    })(room.clock);
    room = await uploadRoom({ store, storage, clock: room.clock });
    const { file } = await room.save('a.png', 'image/png');
    expect(await storedKeys(storage)).toHaveLength(3);
    broken = false;
    room.clock.advance(2 * 3600);
    await room.sweep.run();
    expect(await storedKeys(storage)).toEqual([file.key]);
  });
});

it('a part but the last that is too small is refused until it is sent again', async () => {
  room = await uploadRoom({ store, rules: { minPartBytes: 10 } });
  const ticket = await room.sendParts('a.png', ['image/png', '-']);
  await expect(finalize(ticket.finalUrl)).rejects.toMatchObject({
    code: 'not_uploaded',
    message: expect.stringMatching(/part 1 again/),
  });
  await room.sendBytes(ticket.partUrls![0]!, Buffer.from('image/png '));
  expect((await finalize(ticket.finalUrl)).file.size).toBe(11);
});
