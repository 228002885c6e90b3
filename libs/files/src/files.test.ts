import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { storedKeys } from '#testing/files';
import { keptKey } from './index.ts';
import { around, contentAt, headersOf, openRoom, room } from '../../../test/support/upload-room-stage.ts';

const { signal } = new AbortController();
const HOUR = 3_600;
const DAY = 24 * HOUR;

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

it('reading a stored file returns its bytes up to the given limit, and null once they are gone', async () => {
  const { key, size } = await room.keep();
  const read = async (maxBytes: number) => (await room.files.read(key, maxBytes))?.toString() ?? null;
  expect([await read(size), await read(size - 1)]).toEqual(['image/png', null]);
  await room.storage.delete([key]);
  expect(await read(size)).toBeNull();
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
    expect(await resolve(room.urls.plainUrlOf(copy.key))).toEqual(copy);
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

  it('processes more than one group', async () => {
    await openRoom({ groupSize: 2 });
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
    await openRoom({ graceDays: 7 });
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
    await openRoom({ graceDays: 7 });
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
    await openRoom({ graceDays: 7 });
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

it('purging a persona deletes all its files in groups, except files that others use', async () => {
  await openRoom({ groupSize: 2 });
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
