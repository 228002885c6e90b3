import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '#kernel';
import { InMemoryObjectStorage, storedKeys, uploadRoom, type FileStore, type UploadRoom } from '#testing/files';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { fileStoreOn } from '../../../test/support/file-store.ts';

let db: TestDatabase;
let store: FileStore;
let room: UploadRoom;
beforeEach(async () => {
  db = await createDatabase();
  store = fileStoreOn(db.database);
  room = await uploadRoom({ store });
});
afterEach(() => db.drop());

const { signal } = new AbortController();
const HOUR = 3_600;
const DAY = 24 * HOUR;

describe('the sweep', () => {
  it('deletes temporary files when they expire, not before', async () => {
    await room.save('x12tmp-a.png', 'image/png');
    const { file } = await room.save('b.png', 'image/png');
    room.clock.advance(12 * HOUR - 1);
    expect(await room.sweep.run()).toEqual({ expired: 0, deleted: 0, uploads: 2, abandoned: 0 });
    expect(await room.sweep.run()).toEqual({ expired: 0, deleted: 0, uploads: 0, abandoned: 0 });
    room.clock.advance(1);
    expect(await room.sweep.run()).toMatchObject({ expired: 1, deleted: 1 });
    expect(await storedKeys(room.storage)).toEqual([file.key]);
  });

  it('drops uploads that were not finalized within a day, with their bytes', async () => {
    const tickets = [await room.send('a.png', 'image/png'), await room.sendParts('a.png', ['image/png', 'b'])];
    room.clock.advance(DAY - 1);
    expect(await room.sweep.run()).toMatchObject({ uploads: 0 });
    expect(await storedKeys(room.storage)).toHaveLength(1);
    room.clock.advance(1);
    expect(await room.sweep.run()).toMatchObject({ uploads: 2 });
    expect(await storedKeys(room.storage)).toEqual([]);
    for (const { finalUrl } of tickets) {
      await expect(room.finalize(finalUrl)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('deletes what is sent after the upload was finalized, once no more can come', async () => {
    const ticket = await room.send('a.png', 'image/png');
    const { file } = await room.finalize(ticket.finalUrl);
    await room.put(ticket, 'image/png late');
    room.clock.advance(2 * HOUR);
    await room.sweep.run();
    expect(await storedKeys(room.storage)).toEqual([file.key]);
    expect(await room.sweep.run()).toMatchObject({ uploads: 0 });
    expect((await room.finalize(ticket.finalUrl)).file).toEqual(file);
  });

  it('deletes frozen bytes that nobody came back for, and none that are young', async () => {
    const put = (key: string) => room.storage.put(key, { bytes: Buffer.from('x') }, { contentType: 'a/b' });
    await put('frozen/old.1');
    room.clock.advance(HOUR + 1);
    await put('frozen/young.1');
    expect(await room.sweep.run()).toMatchObject({ abandoned: 1 });
    expect(await storedKeys(room.storage)).toEqual(['frozen/young.1']);
  });

  it('processes more than one batch', async () => {
    room = await uploadRoom({ store, batchSize: 2 });
    for (let count = 0; count < 3; count++) {
      await room.save('x12tmp-a.png', 'image/png');
      await room.send('b.png', 'image/png');
    }
    room.clock.advance(DAY);
    const report = await room.sweep.run();
    expect(report).toEqual({ expired: 3, deleted: 3, uploads: 6, abandoned: 0 });
    expect(await storedKeys(room.storage)).toEqual([]);
  });

  it('stops between two batches when it is aborted', async () => {
    await room.save('x12tmp-a.png', 'image/png');
    room.clock.advance(DAY);
    const signal = AbortSignal.abort(new Error('stop'));
    await expect(room.sweep.run(signal)).rejects.toThrow('stop');
  });

  it('forgets no file while the storage is unavailable', async () => {
    let away = true;
    const storage = new (class extends InMemoryObjectStorage {
      override async delete(keys: readonly string[]) {
        if (away && keys.length > 0) throw new DomainError('unavailable', 'away');
        return super.delete(keys);
      }
    })(room.clock);
    room = await uploadRoom({ store, storage, clock: room.clock });
    await room.save('x12tmp-a.png', 'image/png');
    room.clock.advance(DAY);
    await expect(room.sweep.run()).rejects.toMatchObject({ code: 'unavailable' });
    expect((await storedKeys(storage)).length).toBeGreaterThan(0);
    away = false;
    await room.sweep.run();
    expect(await storedKeys(storage)).toEqual([]);
  });
});

describe('deleting unneeded files', () => {
  it('deletes those that nothing needs, and keeps the others', async () => {
    const [unneeded, referred, forgotten] = [
      await room.keep(),
      await room.keep(),
      await room.keep({ origin: 'output', personaId: room.personaId }),
    ];
    const { file: upload } = await room.save('a.png', 'image/png');
    await room.store.refer('image of an open generation', referred.id);
    const fileIds = [unneeded, referred, forgotten, upload].map((file) => file.id);
    await room.deletion.deleteUnneeded(fileIds, signal);
    expect(await storedKeys(room.storage)).toEqual([referred.key, upload.key].sort());
    await room.store.unrefer(referred.id);
    await room.deletion.deleteUnneeded(fileIds, signal);
    await room.deletion.deleteUnneeded(fileIds, signal);
    expect(await storedKeys(room.storage)).toEqual([upload.key]);
    expect(room.jobs.announced).toEqual([]);
  });
});

describe('purging a persona', () => {
  it('deletes all that it leaves behind except what others use', async () => {
    const { file: used, url } = await room.save('used.png', 'image/png');
    const { file: unused } = await room.save('unused.png', 'image/png');
    await room.save('x12tmp-a.png', 'image/png');
    await room.keep({ personaId: room.personaId });
    const sent = await room.send('sent.png', 'image/png');
    await room.allocate({ filename: 'allocated.png' });
    await room.store.refer('training', used.id);
    const other = await room.store.newPersona(room.actor);
    await room.store.deletePersona(room.personaId);

    await room.deletion.purgePersona(room.personaId, signal);
    expect(await storedKeys(room.storage)).toEqual([used.key]);
    expect(await room.store.files.find(unused.id)).toBeNull();
    expect(await room.store.files.find(used.id)).toEqual({ ...used, personaId: null });
    expect(await room.store.hasPersona(room.personaId)).toBe(false);
    expect(await room.store.hasPersona(other)).toBe(true);
    expect(room.jobs.announced).toEqual([]);
    const resolved = await room.files.resolve({ workspaceId: room.actor.workspaceId, url });
    expect(resolved?.id).toBe(used.id);
    await expect(room.finalize(sent.finalUrl)).rejects.toMatchObject({ code: 'not_found' });

    await room.deletion.purgePersona(room.personaId, signal);
    await room.store.unrefer(used.id);
    await room.deletion.deleteUnneeded([used.id], signal);
    expect(await storedKeys(room.storage)).toEqual([]);
  });

  it('processes more than one batch', async () => {
    room = await uploadRoom({ store, batchSize: 2 });
    for (let count = 0; count < 3; count++) await room.save('a.png', 'image/png');
    await room.store.deletePersona(room.personaId);
    await room.deletion.purgePersona(room.personaId, signal);
    expect(await storedKeys(room.storage)).toEqual([]);
    expect(await room.store.hasPersona(room.personaId)).toBe(false);
  });
});
