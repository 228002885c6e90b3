/** @tier test */
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresExports, PostgresPersonalData } from '#adapters/postgres';
import { ZipArchives } from '#adapters/zip';
import { ExportRuns, Exports, type Export, type ReadyExport } from '#export';
import { FileDeletion, StorageReconciliation, type ObjectStorage } from '#files';
import { CountedTokenSecrets, someone } from '#testing/identity';
import { ManualClock } from '#testing/kernel';
import { accountStore, unitOfWork } from '#wiring';
import { createDatabase, newFile, newWorkspace, type TestDatabase } from '../support/database.ts';
import { temporaryDisk } from '../support/disk-client.ts';
import { eventually } from '../support/eventually.ts';
import { Product } from '../support/product.ts';
import { documentsIn, readZip } from '../support/read-zip.ts';
import { rounds } from '../support/rounds.ts';

const DAY = 86_400;
const { signal } = new AbortController();

type Storage = Pick<ObjectStorage, 'open' | 'putStream'>;

let db: TestDatabase;
let disk: Awaited<ReturnType<typeof temporaryDisk>>;
let clock: ManualClock;
let product: Product;
let exports: Exports;
let mails: string[];
const secrets = new CountedTokenSecrets();
beforeEach(async () => {
  db = await createDatabase({ poolSize: 25 });
  clock = new ManualClock(new Date());
  disk = await temporaryDisk(clock);
  mails = [];
  product = new Product(db, { clock, storage: disk.storage });
  exports = product.get(Exports);
});
afterEach(async () => {
  await db.drop();
  await disk.drop();
});

/** The job, with a storage that may differ from the real one. */
function runs(storage: Partial<Storage> = {}, checkMs = 20): ExportRuns {
  return new ExportRuns({
    accounts: product.get(accountStore),
    archives: product.get(ZipArchives),
    confirmations: { notify: async ({ email }, notice) => void mails.push(`${notice} to ${email}`) },
    data: product.get(PostgresPersonalData),
    exports: product.get(PostgresExports),
    secrets,
    storage: { open: (key) => disk.storage.open(key), putStream: (...of) => disk.storage.putStream(...of), ...storage },
    unitOfWork: product.get(unitOfWork),
    clock,
    service: 'https://x12.example.com',
    checkMs,
  });
}

/** The sweep of files, which deletes discarded objects. */
const sweepFiles = () => product.get(FileDeletion).sweep(signal);

const zips = async () => {
  const keys: string[] = [];
  for await (const batch of disk.storage.list('exports/')) keys.push(...batch.map(({ key }) => key));
  return keys;
};
const start = (person: { userId: number; workspaceId: number }) => exports.request(person);
const run = (id: number, attempt = 1, storage: Partial<Storage> = {}, checkMs?: number) =>
  runs(storage, checkMs).run(id, { attempt, signal, workspaceId: null });
const newest = async (person: { readonly userId: number }) => (await exports.list(person))[0]!;
const addFile = async (workspaceId: number, text: string, filename = 'picture.png') => {
  const file = await newFile(db.database, workspaceId, null);
  await db.query('update files set filename = $2, size = $3 where id = $1', [file.id, filename, text.length]);
  await disk.storage.put(file.key, { bytes: Buffer.from(text) }, { contentType: 'image/png' });
  return file;
};
/** A person with a file, if it has a text, and an export that is requested. */
async function requested(text?: string) {
  const person = await newWorkspace(db.database);
  if (text !== undefined) await addFile(person.workspaceId, text);
  return { person, id: (await start(person)).id };
}
const zipOf = async (ready: Export) => buffer((await disk.storage.open((ready as ReadyExport).key))!);

describe('an export', () => {
  it('has the rows and files of the personal workspace, says where each is, and is announced by mail', async () => {
    const [person, other] = [await newWorkspace(db.database), await newWorkspace(db.database)];
    const [mine, theirs] = [await addFile(person.workspaceId, 'my bytes'), await addFile(other.workspaceId, 'theirs')];
    await db.query(
      `insert into boards (workspace_id, created_by, name, created_at)
       select $1, $2, 'board ' || n, now() from generate_series(1, 1200) n`,
      [person.workspaceId, person.userId],
    );
    const { id } = await start(person);
    await run(id);
    const ready = await newest(person);
    expect(ready).toMatchObject({ id, state: 'ready', expiresAt: new Date(clock.now().getTime() + DAY * 1000) });
    const zip = await zipOf(ready);
    expect((ready as ReadyExport).size).toBe(zip.length);
    const documents = await documentsIn(zip);
    expect(documents['README.txt']).toContain('https://x12.example.com');
    expect(documents['profile.json']).toEqual([expect.objectContaining({ id: person.userId, has_password: false })]);
    expect(documents['boards.json']).toHaveLength(1200);
    expect(documents['boards.json'][1199]).toMatchObject({ name: 'board 1200' });
    const path = `files/${mine.id}-picture.png`;
    expect(documents['files.json']).toEqual([expect.objectContaining({ id: mine.id, path })]);
    expect(documents[path]).toBe('my bytes');
    expect(JSON.stringify(documents)).not.toContain(theirs.key);
    const index = documents['index.json'];
    expect(index).toMatchObject({ user_id: person.userId, files: { count: 1, bytes: 8 }, missing_files: [] });
    expect(index.documents).toContainEqual({ path: 'boards.json', about: 'Boards.', rows: 1200 });
    const listed = index.documents.map((each: { path: string }) => each.path);
    expect(Object.keys(documents).sort()).toEqual(['README.txt', 'index.json', path, ...listed].sort());
    expect((await readZip(zip)).find((each) => each.path === path)!.isCompressed).toBe(false);
    expect(mails).toEqual([expect.stringMatching(/^export_ready to someone-/)]);
    expect(product.auditLog.entries).toEqual([{ action: 'account.export', target: person.userId, details: {} }]);
  });

  it('has the notes of boards, without those of deleted folders', async () => {
    const person = await newWorkspace(db.database);
    await db.query(
      `with board as (insert into boards (workspace_id, created_by, name, created_at) values ($1, $2, 'A', now()) returning id),
       entry as (
         insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
         values ($1, 'folder', 1, $2, now(), now()) returning id),
       home as (
         insert into folders (board_id, name, created_at, deletion_id)
         select board.id, 'gone', now(), entry.id from board, entry union all select id, 'there', now(), null from board
         returning board_id, id, name)
       insert into notes (board_id, folder_id, created_by, text, place, created_at, updated_at)
       select board_id, id, $2, name, 1, now(), now() from home union all select id, null, $2, 'root', 1, now(), now() from board`,
      [person.workspaceId, person.userId],
    );
    const { id } = await start(person);
    await run(id);
    const { 'notes.json': notes } = await documentsIn(await zipOf(await newest(person)));
    expect(notes.map(({ text }: { text: string }) => text).toSorted()).toEqual(['root', 'there']);
  });

  it('has the sessions with their address and browser, and the API tokens apart', async () => {
    const person = await newWorkspace(db.database);
    const add = `insert into api_tokens (user_id, name, hash, kind, created_at, address, user_agent)
      values ($1, $2::text, sha256($2::text::bytea), $2::text, now(), '192.0.2.7', 'Firefox')`;
    for (const kind of ['log_in', 'session', 'api']) await db.query(add, [person.userId, kind]);
    const { id } = await start(person);
    await run(id);
    const documents = await documentsIn(await zipOf(await newest(person)));
    const seen = { address: '192.0.2.7', user_agent: 'Firefox' };
    expect(documents['sessions.json']).toMatchObject([seen, seen]);
    expect(documents['tokens.json']).toMatchObject([{ name: 'api' }]);
  });

  it('has no secrets', async () => {
    const { user } = await product.get(accountStore).open(someone({ passwordHash: '$argon2id$secret' as never }));
    await db.query(
      `insert into api_tokens (user_id, name, hash, created_at) values ($1, 'mine', 'token-secret'::bytea, now())`,
      [user.id],
    );
    await db.query(`insert into two_factors (user_id, secret, created_at) values ($1, 'totp-secret', now())`, [
      user.id,
    ]);
    const { id } = await start({ userId: user.id, workspaceId: 1 });
    await run(id);
    const text = JSON.stringify(await documentsIn(await zipOf(await newest({ userId: user.id }))));
    expect(text).toContain('"mine"');
    for (const secret of [
      '$argon2id$secret',
      'token-secret',
      'totp-secret',
      Buffer.from('token-secret').toString('hex'),
    ]) {
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/hash"|"secret"|"key"/);
  });

  it('goes on without a file that is deleted meanwhile, and lists it', async () => {
    const person = await newWorkspace(db.database);
    const add = (text: string) => addFile(person.workspaceId, text);
    const files = [await add('first'), await add('second'), await add('third')];
    const { id } = await start(person);
    const opened: string[] = [];
    await run(id, 1, {
      open: async (key: string) => {
        if (opened.push(key) === 1) await disk.storage.delete([files[1]!.key]);
        return disk.storage.open(key);
      },
    });
    const documents = await documentsIn(await zipOf(await newest(person)));
    expect(documents[`files/${files[2]!.id}-picture.png`]).toBe('third');
    expect(documents['index.json'].missing_files).toEqual([
      { id: files[1]!.id, path: `files/${files[1]!.id}-picture.png`, reason: 'deleted while the export was made' },
    ]);
    expect(documents['index.json'].files).toMatchObject({ count: 2, bytes: 10 });
  });

  it('shows one moment, also when rows are added while it is made', async () => {
    const { person, id } = await requested('before');
    await run(id, 1, {
      putStream: async (...of) => {
        await addFile(person.workspaceId, 'after');
        return disk.storage.putStream(...of);
      },
    });
    const documents = await documentsIn(await zipOf(await newest(person)));
    expect(documents['files.json']).toHaveLength(1);
    expect(documents['index.json'].files).toMatchObject({ count: 1, bytes: 6 });
  });
});

describe('of the exports of a person', () => {
  it('one is under way, however many are requested at once', async () => {
    for (let round = 0; round < rounds(); round++) {
      const person = await newWorkspace(db.database);
      const requested = await Promise.all(Array.from({ length: 20 }, () => start(person)));
      expect(new Set(requested.map(({ id }) => id)).size).toBe(1);
    }
    expect(product.jobs.announced).toHaveLength(rounds());
    expect(product.auditLog.entries).toHaveLength(rounds());
  });

  it('others can read none', async () => {
    const [person, other] = [await newWorkspace(db.database), await newWorkspace(db.database)];
    const { id } = await start(person);
    await run(id);
    await expect(exports.find(other, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(exports.findReady(other, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await exports.list(other)).toEqual([]);
    expect(await exports.findReady(person, id)).toMatchObject({ id, state: 'ready' });
  });

  it('a new one replaces a ready one, whose zip is deleted', async () => {
    const person = await newWorkspace(db.database);
    const first = await start(person);
    await run(first.id);
    const second = await start(person);
    expect(second.id).not.toBe(first.id);
    expect((await exports.find(person, first.id)).state).toBe('expired');
    await sweepFiles();
    expect(await zips()).toEqual([]);
  });
});

describe('the zip', () => {
  it('expires after 24 hours, and is deleted', async () => {
    const { person, id } = await requested();
    await run(id);
    clock.advance(DAY - 1);
    expect([await exports.sweep(signal), (await exports.findReady(person, id)).state]).toEqual([0, 'ready']);
    clock.advance(1);
    await expect(exports.findReady(person, id)).rejects.toMatchObject({ code: 'file_expired' });
    expect(await exports.sweep(signal)).toBe(1);
    await sweepFiles();
    expect([await zips(), (await newest(person)).state]).toEqual([[], 'expired']);
  });

  it('is accounted for while it is written and while it is ready', async () => {
    const { person, id } = await requested();
    await run(id);
    await disk.storage.put('exports/stray.zip', { bytes: Buffer.from('x') }, { contentType: 'application/zip' });
    clock.advance(DAY + 1);
    expect(await product.get(StorageReconciliation).run({ fix: true })).toMatchObject({ strayObjects: 1, removed: 1 });
    const [stored] = await product.get(PostgresExports).list(person.userId);
    expect(await zips()).toEqual([(stored as ReadyExport).key]);
  });

  it('is made anew by the next run after a kill, and the killed run leaves nothing', async () => {
    const { person, id } = await requested('bytes');
    // The storage has the zip, and the worker dies before it records that.
    let die = (): void => undefined;
    const dead = new Promise<never>((_, reject) => (die = () => reject(new Error('killed'))));
    const storage: Partial<Storage> = {
      putStream: async (...of) => {
        await disk.storage.putStream(...of);
        return dead;
      },
    };
    // It dies before its first check.
    const killed = run(id, 1, storage, 600_000);
    await eventually(async () => (await zips()).length > 0);
    await run(id, 2);
    const ready = (await newest(person)) as ReadyExport;
    expect([ready.state, (await zips()).length]).toEqual(['ready', 2]);
    clock.advance(3600 + 60);
    await sweepFiles();
    expect(await zips()).toEqual([ready.key]);
    expect((await documentsIn(await zipOf(ready)))['index.json'].files.count).toBe(1);
    die();
    await expect(killed).rejects.toThrow('killed');
  });

  it('of a run that was taken over is neither ready nor kept', async () => {
    const { person, id } = await requested();
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    const slow: Partial<Storage> = {
      putStream: async (...of) => {
        const info = await disk.storage.putStream(...of);
        await waiting;
        return info;
      },
    };
    const first = run(id, 1, slow);
    await eventually(async () => (await zips()).length > 0);
    await run(id, 2);
    release();
    await first;
    await sweepFiles();
    expect(await zips()).toEqual([((await newest(person)) as ReadyExport).key]);
    expect(mails).toHaveLength(1);
  });

  it('is deleted with the exports of its account', async () => {
    const person = await newWorkspace(db.database);
    await run((await start(person)).id);
    await product.get(unitOfWork).run(() => exports.removeAll(person.userId));
    await sweepFiles();
    expect([await zips(), await exports.list(person)]).toEqual([[], []]);
  });

  it('is not made while the exports of its account are deleted, and is gone', async () => {
    const person = await newWorkspace(db.database);
    await addFile(person.workspaceId, 'bytes');
    const ready = await start(person);
    await run(ready.id);
    const { id } = await start(person);
    await run(id, 1, {
      putStream: async (...of) => {
        await product.get(unitOfWork).run(() => exports.removeAll(person.userId));
        return disk.storage.putStream(...of);
      },
    });
    expect(await exports.list(person)).toEqual([]);
    await sweepFiles();
    expect([await zips(), mails.length]).toEqual([[], 1]);
  });

  it('stops soon after its worker is told to stop, and begins again', async () => {
    const { person, id } = await requested('bytes');
    const stopping = new AbortController();
    const storage: Partial<Storage> = {
      open: async (key: string) => {
        stopping.abort(new Error('the worker stops'));
        return disk.storage.open(key);
      },
    };
    const run1 = runs(storage).run(id, { attempt: 1, signal: stopping.signal, workspaceId: null });
    await expect(run1).rejects.toThrow('the worker stops');
    expect([await zips(), (await newest(person)).state]).toEqual([[], 'running']);
    await run(id, 2);
    expect((await newest(person)).state).toBe('ready');
  });

  it('has failed for good when its job has, and another can be requested', async () => {
    const { person, id } = await requested();
    await runs().fail(id);
    expect((await newest(person)).state).toBe('failed');
    await expect(exports.findReady(person, id)).rejects.toMatchObject({ code: 'conflict' });
    await run(id);
    expect([(await newest(person)).state, (await start(person)).id === id]).toEqual(['failed', false]);
  });

  it('is kept as long as its run checks that it goes on', async () => {
    const { person, id } = await requested();
    const dueAt = async () => (await db.one<{ due_at: Date }>('select due_at from discarded_objects'))!.due_at;
    await run(id, 1, {
      putStream: async (...of) => {
        const info = await disk.storage.putStream(...of);
        const before = await dueAt();
        clock.advance(3000);
        await eventually(async () => (await dueAt()) > before);
        clock.advance(3000);
        await sweepFiles();
        return info;
      },
    });
    expect([(await newest(person)).state, (await zips()).length]).toEqual(['ready', 1]);
  });
});
