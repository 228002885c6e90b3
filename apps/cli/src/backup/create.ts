import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSnapshot } from '#adapters/postgres';
import type { DiskObjects } from '#adapters/storage';
import { makeFolder, type Settings } from '#config';
import { forEach } from '#kernel';
import { lockFolder } from '#process';
import {
  AT_ONCE,
  backupsIn,
  checksumOfObject,
  explained,
  FORMAT,
  ifThere,
  newDraft,
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

/**
 * Saves the state that the database has at one moment, and the objects that belong to it, while the service runs.
 *
 * @param url of the database
 * @param keep how many backups to keep in the folder, this one included; `null` for all
 * @throws StartError when the folder can't be used
 */
export async function createBackup(
  data: Settings['data'],
  url: string,
  folder: string,
  keep: number | null,
): Promise<Backup> {
  try {
    makeFolder(folder, 0o700);
    const unlock = lockFolder(folder, `${folder} is in use by another backup`);
    try {
      await removeDrafts(folder);
      const backup = await writeBackup(data, url, folder);
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

async function writeBackup(data: Settings['data'], url: string, folder: string): Promise<Backup> {
  const draft = await newDraft(folder);
  try {
    const manifest = await fill(draft, data, url);
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

async function fill(draft: string, data: Settings['data'], url: string): Promise<Manifest> {
  const snapshot = await DatabaseSnapshot.open(url);
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
    const lines = saveObjects(snapshot, storeIn(data.files), storeIn(join(draft, 'files')), totals);
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
  from: DiskObjects,
  to: DiskObjects,
  totals: Totals,
): AsyncGenerator<string, void> {
  for await (const objects of snapshot.objects()) {
    const saved: SavedObject[] = [];
    await forEach(objects, AT_ONCE, async ({ key, isOptional }) => {
      const checksum = await saveObject(from, to, key);
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

async function saveObject(from: DiskObjects, to: DiskObjects, key: string) {
  for (const place of placesOf(key)) {
    if (await to.copyFrom(from, place, key)) return checksumOfObject(to, key);
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
