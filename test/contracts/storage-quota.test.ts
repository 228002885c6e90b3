/** @tier test, 12 s */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { uploadRoom, type UploadRoom } from '#testing/files';
import { suiteDatabase } from '../support/suite-database.ts';
import { fileStoreOn } from '../support/file-store.ts';
import { itInRounds } from '../support/rounds.ts';
const { signal } = new AbortController();
/** Quota of the plan of the room's workspace. */
const QUOTA = 100;
/** Bytes of a picture that is uploaded here. */
const PNG = 'image/png!'.length;
const full = { code: 'quota_exceeded' };

let room: UploadRoom;
const db = await suiteDatabase({ poolSize: 20 });
const store = fileStoreOn(db.database, { free: QUOTA });
beforeEach(async () => {
  room = await uploadRoom({ store });
});

const used = async () => (await store.space.of(room.actor.workspaceId)).used;
const stored = (size: number, origin: 'import' | 'output' = 'import') =>
  room.keep({ bytes: Buffer.alloc(size), origin });

describe('the storage of a workspace', () => {
  it('is used by every file until that is deleted, and by no file of another workspace', async () => {
    const { file } = await room.save('a.png', 'image/png!');
    const kept = await stored(30);
    await (await uploadRoom({ store })).save('a.png', 'image/png!');
    expect(await store.space.of(room.actor.workspaceId)).toEqual({ used: PNG + 30, quota: QUOTA });
    await room.deletion.deleteUnneeded([kept.id], signal);
    expect(await used()).toBe(PNG);
    await store.deletePersona(file.personaId!);
    await room.purgePersona(file.personaId!);
    expect(await used()).toBe(0);
  });

  it('accepts files up to the last byte of the quota, and more after a deletion', async () => {
    const most = await stored(QUOTA - PNG - 1);
    const first = await room.send('a.png', 'image/png!');
    const second = await room.send('b.png', 'image/png!');
    await room.finalize(first.finalUrl);
    await expect(room.finalize(second.finalUrl)).rejects.toMatchObject(full);
    await expect(stored(2)).rejects.toMatchObject(full);
    await stored(1);
    expect(await used()).toBe(QUOTA);
    await expect(room.allocate({ filename: 'c.png' })).rejects.toMatchObject(full);
    await room.deletion.deleteUnneeded([most.id], signal);
    await room.finalize(second.finalUrl);
    await room.allocate({ filename: 'c.png' });
    expect(await used()).toBe(2 * PNG + 1);
  });

  it('takes outputs beyond it, which are paid', async () => {
    await stored(QUOTA + 1, 'output');
    expect(await used()).toBe(QUOTA + 1);
    await expect(stored(1)).rejects.toMatchObject(full);
  });

  it('leaves nothing of a file that does not fit', async () => {
    await stored(QUOTA - 1);
    await expect(stored(5)).rejects.toMatchObject(full);
    room.clock.advance(2 * 86_400);
    await room.deletion.sweep();
    expect(await db.query('select from discarded_objects')).toEqual([]);
  });

  it('has no limit on a plan without a quota', async () => {
    await db.query(`update workspaces set plan = 'pro' where id = $1`, [room.actor.workspaceId]);
    await stored(QUOTA + 1);
    expect(await store.space.of(room.actor.workspaceId)).toEqual({ used: QUOTA + 1, quota: null });
    await room.save('a.png', 'image/png!');
  });

  itInRounds('is never exceeded by concurrent uploads: as many succeed as fit', async () => {
    room = await uploadRoom({ store });
    const sent = await Promise.all(Array.from({ length: 50 }, () => room.send('a.png', 'image/png!')));
    const ends = await Promise.allSettled(sent.map(({ finalUrl }) => room.finalize(finalUrl)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(QUOTA / PNG);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject(full);
    expect(await used()).toBe(QUOTA);
  });
});
