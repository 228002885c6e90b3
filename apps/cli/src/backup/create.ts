import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSnapshot } from '#adapters/postgres';
import type { S3ObjectStorage } from '#adapters/storage';
import { makeFolder, type Settings } from '#config';
import { forEach } from '#kernel';
import { lockFolder, StartError } from '#process';
import { orStartError } from '#wiring';
import {
  AT_ONCE,
  backupsIn,
  explained,
  FORMAT,
  ifThere,
  newDraft,
  openBackup,
  removeBackup,
  removeDrafts,
  storeIn,
  writePart,
  type Backup,
  type Manifest,
  type Part,
  type SavedObject,
} from './backup.ts';
import { nameAt, placesOf, savedSecrets, surplus } from './rules.ts';
import { objectsInBucket, objectsOnDisk, type SaveObject } from './sources.ts';
import { problemsOf } from './verify.ts';

/** The sources of a backup. */
export interface Saved {
  readonly data: Settings['data'];
  /** URL of the database. */
  readonly url: string;
  /** The store of the objects; `null` for the data folder. */
  readonly bucket: S3ObjectStorage | null;
}

export interface BackupOptions {
  /** How many backups to keep in the folder, including this backup; by default all. */
  readonly keep?: number | null;
  /** True if the backup is read again before older ones are deleted. */
  readonly verify?: boolean;
}

/**
 * Saves the state that the database has at one moment, and the objects that belong to it, while the service runs.
 *
 * @throws StartError when the folder can't be used, or the backup turns out to be damaged
 */
export async function createBackup(
  saved: Saved,
  folder: string,
  { keep = null, verify = false }: BackupOptions = {},
): Promise<Backup> {
  try {
    makeFolder(folder, 0o700);
    const unlock = lockFolder(folder, `${folder} is in use by another backup`);
    try {
      await removeDrafts(folder);
      const backup = await writeBackup(saved, folder);
      if (verify) await demandIntact(backup);
      const old = keep === null ? [] : surplus(await backupsIn(folder), keep);
      for (const name of old) await removeBackup(folder, name);
      return backup;
    } finally {
      unlock();
    }
  } catch (error) {
    throw explained(error, folder);
  }
}

async function demandIntact(backup: Backup): Promise<void> {
  const [found] = (await problemsOf(backup)).filter(({ problem }) => problem !== 'missing when it was made');
  if (!found) return;
  throw new StartError(`${found.what} of the new backup ${backup.name} is ${found.problem}: check the disk below it`);
}

async function writeBackup(saved: Saved, folder: string): Promise<Backup> {
  const draft = await newDraft(folder);
  try {
    const save = saved.bucket
      ? await objectsInBucket(saved.bucket, await lastBackup(folder))
      : objectsOnDisk(storeIn(saved.data.files));
    const manifest = await fill(draft, saved, save);
    await writePart(draft, 'manifest.json', toBuffers([JSON.stringify(manifest, null, 2)]));
    await sync(draft);
    const name = nameAt(new Date(manifest.created_at));
    await rename(draft, join(folder, name));
    await sync(folder);
    return { name, path: join(folder, name), manifest };
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

/** `null` without a readable backup. */
async function lastBackup(folder: string): Promise<Backup | null> {
  const name = (await backupsIn(folder)).at(-1);
  if (name === undefined) return null;
  return openBackup(folder, name).catch((error: unknown) => {
    if (error instanceof StartError) return null;
    throw error;
  });
}

async function fill(draft: string, { data, url }: Saved, save: SaveObject): Promise<Manifest> {
  const engine = `PostgreSQL at ${new URL(url).host}`;
  const snapshot = await orStartError('DATABASE_URL', engine, DatabaseSnapshot.open(url));
  try {
    const created_at = new Date().toISOString();
    const migrations = await snapshot.migrations();
    const tables: Manifest['tables'][number][] = [];
    const parts: Part[] = [];
    for (const table of await snapshot.tables()) {
      const content = snapshot.contentOf(table);
      parts.push(await writePart(draft, join('tables', table.name), content));
      tables.push({ ...table, rows: content.rowCount });
    }
    const sequences = await snapshot.sequences();
    const totals = { objects: 0, missing: 0, bytes: 0 };
    const lines = saveObjects(snapshot, save, join(draft, 'files'), totals);
    parts.push(await writePart(draft, 'objects', toBuffers(lines)));
    parts.push(...(await saveSecrets(draft, data)));
    return { format: FORMAT, created_at, migrations, tables, sequences, parts, ...totals };
  } finally {
    await snapshot.close();
  }
}

type Totals = { -readonly [Name in 'objects' | 'missing' | 'bytes']: Manifest[Name] };

async function* saveObjects(
  snapshot: DatabaseSnapshot,
  save: SaveObject,
  root: string,
  totals: Totals,
): AsyncGenerator<string, void> {
  const store = storeIn(root);
  for await (const objects of snapshot.objects()) {
    const saved: SavedObject[] = [];
    await forEach(objects, AT_ONCE, async ({ key, isOptional }) => {
      const checksum = await firstOf(placesOf(key), (place) => save(store, place, key));
      if (checksum) saved.push({ key, ...checksum });
      else if (!isOptional) saved.push({ key, missing: true });
    });
    for (const object of saved) {
      if (object.missing) totals.missing++;
      else [totals.objects, totals.bytes] = [totals.objects + 1, totals.bytes + object.size];
      yield `${JSON.stringify(object)}\n`;
    }
  }
}

async function firstOf<T>(places: readonly string[], find: (place: string) => Promise<T | null>): Promise<T | null> {
  for (const place of places) {
    const found = await find(place);
    if (found) return found;
  }
  return null;
}

async function saveSecrets(draft: string, { secrets, demo }: Settings['data']): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const name of savedSecrets((await ifThere(readdir(secrets))) ?? [])) {
    parts.push(await writePart(draft, join('secrets', name), createReadStream(join(secrets, name))));
  }
  const savedDemo = await ifThere(open(demo));
  if (savedDemo) parts.push(await writePart(draft, 'demo.json', savedDemo.createReadStream()));
  return parts;
}

async function* toBuffers(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer, void> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Makes the names in a folder survive a power cut. */
async function sync(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
