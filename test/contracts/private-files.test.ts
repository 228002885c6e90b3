/** @tier test, 10 s */
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresAudit, PostgresWorkspaceFiles } from '#adapters/postgres';
import { Files, keepBytes, privatePlaceOf, PrivateFiles, StorageReconciliation, tokenOfKey } from '#files';
import type { Actor } from '#identity';
import { ManualClock } from '#testing/kernel';
import { storedKeys, uploadRoom, type UploadRoom } from '#testing/files';
import { objectPlaces, objectStorage } from '#wiring';
import { createDatabase, sqlOn } from '../support/database.ts';
import { deleteAllFiles, fileStoreOn } from '../support/file-store.ts';
import { inEveryCrash, type Lifeline } from '../support/lifeline.ts';
import { Product } from '../support/product.ts';
import { itInRounds } from '../support/rounds.ts';

const { signal } = new AbortController();
const HOUR = 3_600;

const db = await createDatabase({ poolSize: 20 });
const store = fileStoreOn(db.database);
afterAll(() => db.drop());

const clock = new ManualClock(new Date());
let product: Product;
let room: UploadRoom;
let owner: Actor;
beforeEach(async () => {
  await deleteAllFiles(sqlOn(db.database));
  await db.query(`update workspaces set files = 'public', files_misplaced = false, files_moving_since = null`);
  product = new Product(db, { clock });
  room = await uploadRoom({ store, storage: product.storage, clock, graceDays: 7 });
  owner = { ...room.actor, role: 'owner' };
});

/** The use case in a process with this lifeline. */
function privateFiles(lifeline?: Pick<Lifeline, 'wrap'>): PrivateFiles {
  const process = new Product(db, { clock, storage: product.storage });
  if (lifeline) process.mortal(lifeline, objectPlaces, objectStorage, PostgresWorkspaceFiles);
  return process.get(PrivateFiles);
}

const change = (mode: 'public' | 'private') => privateFiles().change(owner, mode);
const move = () => privateFiles().move(owner.workspaceId, signal);
const switchTo = async (mode: 'public' | 'private') => {
  await change(mode);
  expect(await move()).toBe(true);
};
const keys = () => storedKeys(product.storage);
const privateKeys = async () => (await keys()).filter((key) => key.startsWith('private/'));
const publicKeys = async () => (await keys()).filter((key) => key.startsWith('files/'));

async function expectWell(): Promise<void> {
  expect(await new PostgresAudit(db.database).findings()).toEqual([]);
  clock.advance(48 * HOUR);
  const audit = await product.get(StorageReconciliation).run({ fix: false });
  expect([audit.strayObjects, audit.lostFiles, audit.examples]).toEqual([0, 0, []]);
}

describe('a switch', () => {
  it('moves all files, also those in the trash, and back', async () => {
    const files = [await room.keep(), await room.keep(), (await room.save('a.png', 'image/png')).file];
    await db.query(
      `with entry as (
         insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
         values ($1, 'item', $2, $3, now(), now() + interval '30 days') returning id)
       update files set deletion_id = entry.id from entry where files.id = $2`,
      [owner.workspaceId, files[0]!.id, owner.userId],
    );
    await switchTo('private');
    expect(await privateKeys()).toEqual(files.map(({ key }) => privatePlaceOf(key)).sort());
    expect(await publicKeys()).toEqual([]);
    await expectWell();
    await switchTo('public');
    expect(await publicKeys()).toEqual(files.map(({ key }) => key).sort());
    expect(await privateKeys()).toEqual([]);
    await expectWell();
  });

  it('says how many files have moved until it is done, and is recorded once', async () => {
    for (let count = 0; count < 3; count++) await room.keep();
    const changed = await change('private');
    expect(changed).toMatchObject({
      files: { filesArePrivate: true, movingSince: clock.now() },
      moving: { done: 0, total: 3 },
    });
    await change('private');
    await move();
    const done = await privateFiles().get(owner.workspaceId);
    expect(done).toMatchObject({ files: { filesArePrivate: true, movingSince: null }, moving: null });
  });

  it('that is repeated changes nothing, and neither does one to what is chosen', async () => {
    await change('public');
    await change('private');
    await change('private');
    expect(product.auditLog.entries).toEqual([]);
    const other = product.get(PrivateFiles);
    await other.change(owner, 'private');
    expect(product.auditLog.entries).toEqual([]);
    await other.change(owner, 'public');
    expect(product.auditLog.entries.map(({ action }) => action)).toEqual(['workspace.files_change']);
    expect(product.jobs.announced.map(({ name }) => name)).toEqual(['files.move']);
  });

  it.each(['private', 'public'] as const)('to %s goes on whenever a process ends that moves files', async (mode) => {
    const other = mode === 'private' ? 'public' : 'private';
    await switchTo(other);
    const files = [await room.keep(), await room.keep(), await room.keep()];
    await inEveryCrash(
      async (lifeline) => {
        await change(other);
        await move();
        await change(mode);
        await privateFiles(lifeline).move(owner.workspaceId, signal);
      },
      async () => {
        for (const { key } of files) expect(await product.get(Files).read(key, 100)).not.toBeNull();
        expect(await privateFiles().sweep(signal)).toBeLessThanOrEqual(1);
        const places = await (mode === 'private' ? privateKeys() : publicKeys());
        expect(places).toHaveLength(files.length);
        expect(await keys()).toHaveLength(files.length);
        await expectWell();
      },
    );
  });

  it('that is taken back in the middle ends where it began', async () => {
    const files = [await room.keep(), await room.keep(), await room.keep()];
    await inEveryCrash(
      async (lifeline) => {
        await change('private');
        await privateFiles(lifeline).move(owner.workspaceId, signal);
      },
      async () => {
        await switchTo('public');
        expect(await keys()).toEqual(files.map(({ key }) => key).sort());
        await expectWell();
      },
    );
  });

  itInRounds('and another one at the same time end in one place', async () => {
    const files = [await room.keep(), await room.keep(), await room.keep()];
    await Promise.all([change('private'), change('public'), move(), change('private'), move()]);
    await privateFiles().sweep(signal);
    await privateFiles().sweep(signal);
    const { files: now } = await privateFiles().get(owner.workspaceId);
    const places = files.map(({ key }) => (now.filesArePrivate ? privatePlaceOf(key) : key));
    expect((await keys()).filter((key) => places.includes(key))).toHaveLength(files.length);
    await expectWell();
  });

  itInRounds('finds a file that is stored meanwhile, wherever its bytes went', async () => {
    const storing = Promise.all([room.keep(), room.keep(), room.save('a.png', 'image/png')]);
    await Promise.all([storing, change('private').then(move), change('private').then(move)]);
    for (let round = 0; round < 3; round++) await privateFiles().sweep(signal);
    expect(await publicKeys()).toEqual([]);
    await expectWell();
  });

  itInRounds('leaves nothing of a file that is deleted meanwhile', async () => {
    const file = await room.keep();
    await change('private');
    await Promise.all([move(), room.deletion.erase([file.id], signal)]);
    await privateFiles().sweep(signal);
    // A file that was locked is erased by the next job.
    await room.deletion.erase([file.id], signal);
    expect((await keys()).filter((key) => key.includes(tokenOfKey(file.key)))).toEqual([]);
  });
});

describe('in a private workspace', () => {
  beforeEach(() => switchTo('private'));

  it('new files are private: stored, uploaded and temporary ones', async () => {
    await room.keep();
    await room.save('a.png', 'image/png');
    await room.save('x12tmp-b.png', 'image/png');
    expect(await publicKeys()).toEqual([]);
    expect(await privateKeys()).toHaveLength(3);
    await expectWell();
  });

  it('a copy of a temporary file is private', async () => {
    const { url } = await room.save('x12tmp-a.png', 'image/png');
    await room.files.resolve({ workspaceId: owner.workspaceId, url });
    expect(await publicKeys()).toEqual([]);
    expect(await privateKeys()).toHaveLength(2);
  });

  it('the bytes of a restored file come back to the private place', async () => {
    const file = await room.keep();
    await keepBytes(product.get(objectStorage), [file.key]);
    expect(await privateKeys()).toEqual([]);
    await room.deletion.bringBack([file.key]);
    expect(await keys()).toEqual([privatePlaceOf(file.key)]);
  });

  it('a deleted file leaves both places', async () => {
    const file = await room.keep();
    await room.deletion.erase([file.id], signal);
    expect(await keys()).toEqual([]);
  });
});
