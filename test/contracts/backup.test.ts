/** @tier deep, 15 s, about apps/cli libs/adapters/storage */
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectPostgres, DatabaseSnapshot, migrations } from '#adapters/postgres';
import { DiskObjects, DiskObjectStorage } from '#adapters/storage';
import { pathsIn, readSettings } from '#config';
import { EmbeddedPostgres } from '#embedded';
import { privatePlaceOf } from '#files';
import { systemClock } from '#kernel';
import { freePort, lockFolder } from '#process';
import { ManualClock } from '#testing/kernel';
import { uploadRoom, type UploadRoom } from '#testing/files';
import { backupsIn, openBackup, type Backup } from '../../apps/cli/src/backup/backup.ts';
import { createBackup, type BackupOptions } from '../../apps/cli/src/backup/create.ts';
import { restoreBackup } from '../../apps/cli/src/backup/restore.ts';
import { ScheduledBackups } from '../../apps/cli/src/backup/scheduled-backups.ts';
import { problemsOf } from '../../apps/cli/src/backup/verify.ts';
import { DiskLayout } from '../../libs/adapters/storage/src/disk-layout.ts';
import { createDatabase, sqlOn, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { fileStoreOn } from '../support/file-store.ts';
import { untilWaiting } from '../support/until-waiting.ts';

let home: string;
let folder: string;
let data: ReturnType<typeof pathsIn>;
let db: TestDatabase;
let storage: DiskObjectStorage;
let room: UploadRoom;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'x12-backup-'));
  folder = join(home, 'backups');
  data = pathsIn(join(home, 'data'));
  db = await createDatabase();
  const clock = new ManualClock(new Date());
  storage = new DiskObjectStorage({ root: data.files, publicUrl: 'http://localhost', secret: 's'.repeat(32), clock });
  room = await uploadRoom({ store: fileStoreOn(db.database), storage, clock });
  await mkdir(data.secrets, { recursive: true });
  await writeFile(join(data.secrets, 'storage-signing'), 'a secret');
  await writeFile(join(data.secrets, 'postgres'), 'a password');
});
afterEach(async () => {
  await db.drop();
  await rm(home, { recursive: true });
});

const create = (keep: number | null = null) => createBackup({ data, url: db.url, bucket: null }, folder, { keep });
const save = async (name: string) => (await room.save(name, 'image/png')).file.key;

describe('creating a backup', () => {
  it('saves each table, each object and the secrets, but not the password of the database', async () => {
    const key = await save('a.png');
    await room.send('unfinished.png', 'image/png');
    const { name, manifest } = await create();
    expect(manifest).toMatchObject({ objects: 2, missing: 0 });
    expect(manifest.tables).toContainEqual(expect.objectContaining({ name: 'files', rows: 1 }));
    const paths = manifest.parts.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['tables/files', 'tables/jobs', 'objects', 'secrets/storage-signing']),
    );
    expect(paths).not.toContain('secrets/postgres');
    expect(await problemsOf(await openBackup(folder, name))).toEqual([]);
    expect(await readFile(join(folder, name, 'objects'), 'utf8')).toContain(key);
  });

  it('keeps its bytes when the service deletes or replaces its own', async () => {
    const key = await save('a.png');
    const backup = await create();
    await storage.delete([key]);
    expect(await problemsOf(backup)).toEqual([]);
  });

  it('saves the object of a private file, and of one that is moving, wherever it is', async () => {
    const { workspaceId } = room.actor;
    const { workspaces, unitOfWork } = room.store;
    await workspaces.change(workspaceId, true, new Date());
    const keys = [await save('private.png'), await save('moving.png')];
    await sqlOn(db.database).query('update files set is_private = null where key = $1', [keys[1]]);
    const places = keys.map((key) => privatePlaceOf(key));
    const backup = await create();
    expect(backup.manifest).toMatchObject({ objects: 2, missing: 0 });
    const saved = await readFile(join(folder, backup.name, 'objects'), 'utf8');
    for (const place of places) expect(saved).toContain(place);
    const snapshot = await DatabaseSnapshot.open(db.url);
    const moving = await workspaces.beginMoves(workspaceId, 0, 10);
    expect(moving).toHaveLength(1);
    expect(await unitOfWork.run(() => workspaces.takeMoving(moving))).toEqual([]);
    await snapshot.close();
    expect(await unitOfWork.run(() => workspaces.takeMoving(moving))).toHaveLength(1);
  });

  it('says how many files have lost their bytes', async () => {
    const key = await save('lost.png');
    await storage.delete([key]);
    const backup = await create();
    expect(backup.manifest).toMatchObject({ objects: 0, missing: 1 });
    expect(await problemsOf(backup)).toEqual([{ problem: 'missing when it was made', kind: 'object', what: key }]);
  });

  it('removes leftovers of interrupted backups, and old backups beyond the number to keep', async () => {
    const first = await create();
    await cp(first.path, join(folder, 'draft-x'), { recursive: true });
    expect(await backupsIn(folder)).toEqual([first.name]);
    const [second, third] = [await create(), await create(2)];
    expect(await backupsIn(folder)).toEqual([second.name, third.name]);
    expect((await readdir(folder)).filter((name) => name.startsWith('draft-'))).toEqual([]);
  });

  it('leaves nothing when it fails, and names the folder', async () => {
    await writeFile(folder, 'a file where the folder should be');
    await expect(create()).rejects.toThrow(`${folder} cannot be used (EEXIST`);
    await rm(folder);
    await rm(data.secrets, { recursive: true });
    await writeFile(data.secrets, 'a file where a folder should be');
    await expect(create()).rejects.toThrow(`${folder} cannot be used (ENOTDIR`);
    expect((await readdir(folder)).sort()).toEqual(['lock', 'pid']);
  });

  it('is refused while another one is made', async () => {
    await mkdir(folder);
    const unlock = lockFolder(folder);
    await expect(create()).rejects.toThrow(`${folder} is in use by another backup (process ${process.pid})`);
    unlock();
    await create();
  });
});

describe('backups by schedule', () => {
  it('are as many as BACKUP_KEEP says: the oldest are deleted when one more was made', async () => {
    const settings = readSettings({
      BACKUP_SCHEDULE: '* * * * *',
      BACKUP_KEEP: '2',
      WORKER_METRICS_PORT: String(await freePort()),
      DATA_DIR: home,
      LOG_LEVEL: 'silent',
    });
    await create();
    const made: string[] = [];
    const createOne = async (options: BackupOptions) => {
      const backup = await createBackup({ data, url: db.url, bucket: null }, folder, options);
      made.push(backup.name);
      return backup;
    };
    // Each look at the clock is half a minute after the one before, until three were made. From a full minute on, the
    // second look is at the time of the backup, so that nothing is waited for.
    let time = Math.ceil(Date.now() / 60_000) * 60_000;
    const looked = { now: () => new Date((time += made.length < 3 ? 30_000 : 0)) };
    const backups = new ScheduledBackups(settings, folder, createOne, looked);
    await backups.start();
    await eventually(() => made.length === 3);
    await backups.stop();
    expect(await backupsIn(folder)).toEqual(made.slice(1));
  });
});

describe('while the snapshot of a backup is open', () => {
  const take = () => room.store.unitOfWork.run(() => room.store.discarded.takeObjects(new Date(), 10));
  const due = () =>
    db.query(`insert into discarded_objects (key, due_at) values ('files/a/a.png', now() - interval '1 minute')`);

  it('no bytes are deleted, and they are afterwards', async () => {
    await due();
    const snapshot = await DatabaseSnapshot.open(db.url);
    expect(await take()).toEqual({ toDelete: [], toKeep: [] });
    await snapshot.close();
    expect(await take()).toEqual({ toDelete: ['files/a/a.png'], toKeep: [] });
  });

  it('completes deletions that had begun before', async () => {
    await due();
    let isDeleted = false;
    let opening!: Promise<void>;
    await room.store.unitOfWork.run(async () => {
      expect((await room.store.discarded.takeObjects(new Date(), 10)).toDelete).toHaveLength(1);
      opening = DatabaseSnapshot.open(db.url).then(async (snapshot) => {
        expect(isDeleted).toBe(true);
        await snapshot.close();
      });
      await untilWaiting(db);
      isDeleted = true;
    });
    await opening;
  });

  it('can be closed in the middle of a table', async () => {
    await db.query(`insert into rate_limits select n::text, 1, n from generate_series(1, 20000) n`);
    const snapshot = await DatabaseSnapshot.open(db.url);
    const content = snapshot.contentOf({ name: 'rate_limits', columns: ['key', 'points', 'expire'] });
    for await (const chunk of content) if (chunk) break;
    await snapshot.close();
  });
});

describe('verifying a backup', () => {
  it('names each part and each object that is damaged or missing', async () => {
    const [damaged, missing] = [await save('damaged.png'), await save('missing.png')];
    await save('fine.png');
    const backup = await create();
    await damage(backup, damaged);
    await new DiskObjects(join(backup.path, 'files'), systemClock).delete([missing]);
    await appendFile(join(backup.path, 'tables', 'files'), 'more');
    await rm(join(backup.path, 'tables', 'jobs'));
    const found = await problemsOf(backup);
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        { problem: 'damaged', kind: 'part', what: 'tables/files' },
        { problem: 'missing', kind: 'part', what: 'tables/jobs' },
        { problem: 'damaged', kind: 'object', what: damaged },
        { problem: 'missing', kind: 'object', what: missing },
      ]),
    );
  });

  it('says so when there is no such backup, or its manifest cannot be read', async () => {
    const { name } = await create();
    for (const other of ['2026-01-01T00-00-00.000Z', '../data', 'lock']) {
      await expect(openBackup(folder, other)).rejects.toThrow(`there is no backup ${other} in ${folder}`);
    }
    await truncate(join(folder, name, 'manifest.json'), 10);
    await expect(openBackup(folder, name)).rejects.toThrow('manifest.json is damaged');
  });
});

/** Takes the database back to before its last migration. @returns the name of the migration before */
async function revertLastMigration(): Promise<string> {
  const { name, class: Last } = migrations.at(-1)!;
  const migration = new Last(undefined as never, undefined as never);
  void migration.down();
  for (const statement of migration.getQueries()) await db.query(String(statement));
  await db.query('delete from migrations where name = $1', [name]);
  return migrations.at(-2)!.name;
}

it('restores the backup of a database that was upgraded from 0.2', async () => {
  const fine = await save('fine.png');
  await db.query(`insert into migrations (id, name) values (-1, '2026-11-21-main-job')`);
  const backup = await create();
  await db.query('delete from migrations where id = -1');
  expect(backup.manifest.migrations[0]).toBe('2026-11-21-main-job');
  const restored = pathsIn(join(home, 'new'));
  expect(await restoreBackup(backup, restored.folder, false)).toEqual({ objects: 1, findings: [] });
  expect((await new DiskObjects(restored.files, systemClock).head(fine))?.key).toBe(fine);
});

it('restores an older backup without its damaged objects, where asked to, and migrates it', async () => {
  const [fine, damaged] = [await save('fine.png'), await save('damaged.png')];
  const before = await revertLastMigration();
  const backup = await create();
  expect(backup.manifest.migrations.at(-1)).toBe(before);
  await damage(backup, damaged);
  const restored = pathsIn(join(home, 'new'));
  expect(await restoreBackup(backup, restored.folder, true)).toEqual({ objects: 1, findings: [] });

  const store = new DiskObjects(restored.files, systemClock);
  expect([(await store.head(fine))?.key, await store.head(damaged)]).toEqual([fine, null]);
  expect(await readFile(join(restored.secrets, 'storage-signing'), 'utf8')).toBe('a secret');
  const password = await readFile(join(restored.secrets, 'postgres'), 'utf8');
  const postgres = await EmbeddedPostgres.open({ folder: restored.postgres, password });
  const connection = await connectPostgres(await postgres.start(), { poolSize: 1 });
  try {
    const sql = sqlOn(connection.database);
    expect(await sql.one('select name from migrations order by id desc')).toEqual({ name: migrations.at(-1)!.name });
    expect(await sql.query('select key from files order by id')).toEqual([{ key: fine }, { key: damaged }]);
    // Ids go on where they were.
    expect(await sql.one(LAST_ID)).toEqual(await db.one(LAST_ID));
  } finally {
    await connection.close();
    await postgres.stop();
  }
});

describe('restoring a backup is refused', () => {
  const restore = (backup: Backup, into = join(home, 'new')) => restoreBackup(backup, into, false);

  it('into a folder that is not empty, or that programs use', async () => {
    const backup = await create();
    await expect(restore(backup, data.folder)).rejects.toThrow(
      `DATA_DIR ${data.folder} is not empty (secrets): move it away, or set another folder`,
    );
    const unlock = lockFolder(data.folder);
    await expect(restore(backup, data.folder)).rejects.toThrow(
      `DATA_DIR ${data.folder} is in use by another start (process ${process.pid})`,
    );
    unlock();
  });

  it('when it is damaged, and leaves the folder empty', async () => {
    const key = await save('a.png');
    const backup = await create();
    await damage(backup, key);
    await expect(restore(backup)).rejects.toThrow(`1 objects of backup ${backup.name} are damaged or missing`);
    await rm(join(backup.path, 'tables', 'files'));
    await expect(restoreBackup(backup, join(home, 'new'), true)).rejects.toThrow(
      `tables/files of backup ${backup.name} is missing`,
    );
    expect((await readdir(join(home, 'new'))).sort()).toEqual(['lock', 'pid']);
  });

  it('when a newer version has made it', async () => {
    const backup = await create();
    const migrations = [...backup.manifest.migrations, '2030-01-01-later'];
    await expect(restore({ ...backup, manifest: { ...backup.manifest, migrations } })).rejects.toThrow(
      'was made by a newer version (it has 2030-01-01-later): use that version',
    );
  });
});

const LAST_ID = `select last_value::integer as last from pg_sequences where sequencename = 'files_id_seq'`;

/** Changes the bytes of an object in a backup, as a disk does. */
async function damage({ path }: Backup, key: string): Promise<void> {
  const place = new DiskLayout(join(path, 'files')).place(key);
  const blob = (await readdir(place.folder)).find((name) => name.startsWith(place.hash) && !name.endsWith('.json'));
  await appendFile(join(place.folder, blob!), 'damage');
}
