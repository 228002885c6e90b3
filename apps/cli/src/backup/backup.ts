import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { SavedState, SavedTable } from '#adapters/postgres';
import { DiskObjects } from '#adapters/storage';
import { systemClock } from '#kernel';
import { StartError } from '#process';
import { DRAFT, isBackup } from './rules.ts';

/** Format version: increased with each change that earlier versions can't read. */
export const FORMAT = 1;
/** Objects read or written at the same time. */
export const AT_ONCE = 8;
const GROUP_SIZE = 1_000;

export interface Checksum {
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** A file of a backup, except objects. */
export interface Part extends Checksum {
  /** Path within the backup. */
  readonly path: string;
}

/** The content of `manifest.json`. */
export interface Manifest extends SavedState {
  readonly format: number;
  readonly created_at: string;
  readonly migrations: readonly string[];
  readonly tables: readonly (SavedTable & { readonly rows: number })[];
  readonly parts: readonly Part[];
  /** Objects in the backup, without objects that were missing when it was made. */
  readonly objects: number;
  readonly missing: number;
  /** Bytes of the objects. */
  readonly bytes: number;
}

/** A line of `objects`. */
export type SavedObject =
  | ({ readonly key: string; readonly missing?: undefined } & Checksum)
  | { readonly key: string; readonly missing: true };

/**
 * A backup is a folder, complete and unchangeable from the moment it has its name:
 *
 *     manifest.json   what is in it
 *     tables/<name>   the rows of a table, in the text format of COPY
 *     objects         a line of JSON for each object
 *     files/          the objects, as in the disk store
 *     secrets/        what URLs are signed with
 *     demo.json       if there is one
 */
export interface Backup {
  readonly name: string;
  readonly path: string;
  readonly manifest: Manifest;
}

/** The names of the backups in a folder, the oldest first. */
export async function backupsIn(folder: string): Promise<readonly string[]> {
  return ((await ifThere(readdir(folder))) ?? []).filter(isBackup).sort();
}

/** @throws StartError when there is none, or it can't be read */
export async function openBackup(folder: string, name: string): Promise<Backup> {
  const path = join(folder, name);
  const text = isBackup(name) ? await ifThere(readFile(join(path, 'manifest.json'), 'utf8')) : null;
  if (text === null) throw new StartError(`there is no backup ${name} in ${folder}: see npm run cli -- backup list`);
  const manifest = manifestOf(text);
  if (!manifest) throw new StartError(`${join(path, 'manifest.json')} is damaged: use another backup`);
  if (manifest.format > FORMAT) throw new StartError(`${path} was made by a newer version: use that one`);
  return { name, path, manifest };
}

function manifestOf(text: string): Manifest | null {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    return null;
  }
}

/** The store with the objects of a backup, or of a data folder. */
export function storeIn(root: string): DiskObjects {
  return new DiskObjects(root, systemClock);
}

/** The lines of `objects`, in groups. */
export async function* objectsOf({ path }: Backup): AsyncGenerator<readonly SavedObject[], void> {
  let group: SavedObject[] = [];
  for await (const line of createInterface({ input: createReadStream(join(path, 'objects')) })) {
    group.push(JSON.parse(line) as SavedObject);
    if (group.length < GROUP_SIZE) continue;
    yield group;
    group = [];
  }
  yield group;
}

export async function checksumOf(content: AsyncIterable<Uint8Array>): Promise<Checksum> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** The checksum of an object; `null` when there is no such object. */
export async function checksumOfObject(store: DiskObjects, key: string): Promise<Checksum | null> {
  const opened = await store.openObject(key);
  return opened && checksumOf(opened.bytes.createReadStream());
}

/** Writes a file that survives a power cut. */
export async function writePart(folder: string, path: string, content: AsyncIterable<Uint8Array>): Promise<Part> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  await pipeline(content, counted, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }));
  return { path, size, sha256: hash.digest('hex') };
}

export function newDraft(folder: string): Promise<string> {
  return mkdtemp(join(folder, DRAFT));
}

/** Removes leftovers of interrupted commands; the caller has the lock of the folder. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(DRAFT)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Removes a backup. It loses its name first, so that no incomplete backup has one. */
export async function removeBackup(folder: string, name: string): Promise<void> {
  const draft = join(await newDraft(folder), name);
  await rename(join(folder, name), draft);
  await rm(dirname(draft), { recursive: true });
}

/** The result of `work`, or `null` when its file or folder does not exist. */
export async function ifThere<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** @returns the error; for an error of the disk, an error that names the folder */
export function explained(error: unknown, folder: string): unknown {
  const { cause } = error as Error;
  const failure = ((cause as NodeJS.ErrnoException | undefined)?.syscall ? cause : error) as NodeJS.ErrnoException;
  if (typeof failure.syscall !== 'string' || failure.path === undefined) return error;
  return new StartError(`${folder} cannot be used (${failure.message}): make space and give rights, or name another`);
}
