import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DomainError } from '#kernel';
import { Personas } from '#persona';
import { storedKeys } from '#testing/files';
import { around, contentAt, db, headersOf, openRoom, room } from '../../../test/support/upload-room-stage.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;
const keyOf = (url: string) => room.urls.keyOf(url)!;
const finalize = (url: string) => room.finalize(url);
/** Sends a file as a whole, or in one part for each of the contents. */
const sendAs = (filename: string, contents: readonly string[]) =>
  contents.length === 1 ? room.send(filename, contents[0]!) : room.sendParts(filename, contents);

describe('an upload without a persona', () => {
  const personas = () => db.query('select id, name from personas where deletion_id is null');

  it('creates one if the user has none', async () => {
    await room.allocate({ filename: 'a.png' });
    expect(await personas()).toEqual([{ id: room.personaId, name: 'Default' }]);
    await room.store.deletePersona(room.personaId);
    const { finalUrl } = await room.send('a.png', 'image/png');
    expect(await personas()).toEqual([{ id: expect.any(Number), name: 'Default' }]);
    expect((await finalize(finalUrl)).file.personaId).not.toBe(room.personaId);
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
    await openRoom({ rules: { maxBytes: 100 } });
  });

  it('saves the bytes as a permanent file of the persona, ignores later PUTs, and leaves nothing else', async () => {
    const ticket = await room.send('a.png', 'image/png of mine');
    const { finalUrl } = ticket;
    const { url, file } = await finalize(finalUrl);
    expect(url).toBe(finalUrl);
    expect(file).toMatchObject({
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

  it.each([
    ['too_large', ['image/png'.padEnd(101)]],
    ['too_large', ['image/png'.padEnd(60), 'x'.repeat(41)]],
    ['file_type_mismatch', ['image/jpeg']],
    ['file_type_mismatch', ['NOTHING']],
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
      await openRoom({ rules: { metadata: 'strip' } });
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
      expect(file.marking).toBeNull();
    });

    it('records that its signature was dropped, also when it is published later', async () => {
      const { finalUrl } = await room.send('a.png', 'image/png signed at 52.5, 13.4');
      const end = around('copy', (original, key, ...more) => {
        return key.startsWith('frozen/') ? Promise.reject(new Error('the process dies')) : original(key, ...more);
      });
      await expect(finalize(finalUrl)).rejects.toThrow('the process dies');
      end();
      expect((await finalize(finalUrl)).file.marking).toBe('signature_dropped');
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

  it('succeeds even if the leftovers cannot be deleted, and the sweep deletes them', async () => {
    const undo = around('delete', () => Promise.reject(new Error('unreachable')));
    const { file } = await room.save('a.png', 'image/png');
    expect(await storedKeys(room.storage)).toHaveLength(3);
    undo();
    room.clock.advance(2 * 3600);
    await room.deletion.sweep();
    expect(await storedKeys(room.storage)).toEqual([file.key]);
  });
});

it('a part that is too small, other than the last, is refused until it is sent again', async () => {
  await openRoom({ rules: { minPartBytes: 10 } });
  const ticket = await room.sendParts('a.png', ['image/png', '-']);
  await expect(finalize(ticket.finalUrl)).rejects.toMatchObject({
    code: 'not_uploaded',
    message: expect.stringMatching(/part 1 again/),
  });
  await room.sendParts('b.png', ['image/png ', '-']).then(({ finalUrl }) => finalize(finalUrl));
});
