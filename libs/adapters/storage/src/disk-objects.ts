import { open, readdir, readFile, rename, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { forEach, type Clock } from '#kernel';
import type { CopyOptions, ObjectHeaders } from '#files';
import { FILES_AT_ONCE, ifThere, linkOrCopy, makeFolder, syncFolder, translated, writeDurably } from './disk-files.ts';
import {
  AREAS,
  DiskLayout,
  FOLDERS,
  isTurnOver,
  newVersion,
  readRecord,
  SHARDS,
  timeOfVersion,
} from './disk-layout.ts';
import type { ObjectLocation, ObjectRecord } from './disk-layout.ts';

/** An open object: its bytes can be read to the end even if it is replaced or deleted meanwhile. */
export interface OpenedObject {
  readonly record: ObjectRecord;
  readonly bytes: FileHandle;
}

const LIST_GROUP = 1_000;
/** Longer than a write can take: an older file without an object was left by a crash. */
const LEFTOVER_MS = 3_600_000;
/** More than fits into a block of the file system that is already in use. */
const PROBE_BYTES = 65_536;

/**
 * Objects as files: the bytes in a file that never changes, and a record that names it. An object is replaced by one
 * rename and copied by a hard link, whatever its size. Failures of the disk are DomainError `unavailable`.
 */
export class DiskObjects {
  readonly #layout: DiskLayout;
  readonly #turns = new Map<string, Promise<unknown>>();
  /** The next folder to tidy. Starts at random, so that processes that restart often reach every folder. */
  #next = Math.floor(Math.random() * FOLDERS);

  constructor(
    root: string,
    protected readonly clock: Clock,
  ) {
    this.#layout = new DiskLayout(root);
  }

  async head(key: string): Promise<ObjectRecord | null> {
    return translated(this.#read(this.#layout.place(key)));
  }

  async openObject(key: string): Promise<OpenedObject | null> {
    const place = this.#layout.place(key);
    const opened = this.#withBytes(place, async (record) => {
      const bytes = await ifThere(open(this.#layout.blob(place, record.version), 'r'));
      return bytes && { record, bytes };
    });
    return translated(opened);
  }

  /** @param write creates the file `path` and returns its size; leaves no file after a failure */
  async store(key: string, headers: ObjectHeaders, write: (path: string) => Promise<number>): Promise<ObjectRecord> {
    const path = await translated(this.#newFile());
    const size = await translated(write(path));
    return translated(this.#place(key, { size, etag: newVersion(this.clock.now()), headers }, path));
  }

  /** `null` when there is no such object, or it has a different etag. */
  async copy(from: string, to: string, options: CopyOptions): Promise<ObjectRecord | null> {
    return this.copyFrom(this, from, to, options);
  }

  /** Copies an object of another store, which may be on another file system. */
  async copyFrom(
    store: DiskObjects,
    from: string,
    to: string,
    { ifMatch, headers }: CopyOptions = {},
  ): Promise<ObjectRecord | null> {
    const source = store.#layout.place(from);
    const copied = store.#withBytes(source, async (record) => {
      if (ifMatch !== undefined && record.etag !== ifMatch) return null;
      const linked = await this.#newFile();
      const blob = store.#layout.blob(source, record.version);
      const isThere = await ifThere(linkOrCopy(blob, linked).then(() => true));
      if (!isThere) return null;
      return this.#place(to, { ...record, headers: headers ?? record.headers }, linked);
    });
    return translated(copied);
  }

  async delete(keys: readonly string[]): Promise<void> {
    const places = [...new Set(keys)].map((key) => this.#layout.place(key));
    const folders = new Set(places.map((place) => place.folder));
    await translated(forEach(places, FILES_AT_ONCE, (place) => this.#remove(place)));
    await translated(forEach(folders, FILES_AT_ONCE, (folder) => ifThere(syncFolder(folder))));
  }

  /** The objects whose key starts with `prefix`, by area and hash, after that of the key `after`. */
  async *list(prefix: string, after?: string): AsyncIterable<readonly ObjectRecord[]> {
    let group: ObjectRecord[] = [];
    const records = this.#records(prefix, after);
    for (;;) {
      const { done, value } = await translated(records.next());
      if (!done) group.push(value);
      if (group.length > 0 && (done || group.length === LIST_GROUP)) {
        yield group;
        group = [];
      }
      if (done) return;
    }
  }

  async *#records(prefix: string, after?: string): AsyncGenerator<ObjectRecord, void> {
    const last = after === undefined ? null : this.#layout.place(after);
    for (const area of AREAS) {
      if (!`${area}/`.startsWith(prefix) && !prefix.startsWith(`${area}/`)) continue;
      if (last && area < last.area) continue;
      const seen = last?.area === area ? last.hash : '';
      const folder = join(this.#layout.root, area);
      for (const shard of await namesIn(folder)) {
        if (shard < seen.slice(0, 2)) continue;
        for (const name of await namesIn(join(folder, shard))) {
          const hash = /^(.+)\.json$/.exec(name)?.[1] ?? '';
          if (hash <= seen) continue;
          const record = await this.#read(this.#layout.placeOf(area, hash));
          if (record?.key.startsWith(prefix)) yield record;
        }
      }
    }
  }

  /** The path of a file that does not exist yet, in a folder that does. */
  async #newFile(): Promise<string> {
    await makeFolder(this.#layout.incoming);
    return this.#layout.newIncoming(this.clock.now());
  }

  /** Moves the file `bytes` to its location, writes the record that names it, and removes the replaced file. */
  async #place(
    key: string,
    { size, etag, headers }: Pick<ObjectRecord, 'size' | 'etag' | 'headers'>,
    bytes: string,
  ): Promise<ObjectRecord> {
    const place = this.#layout.place(key);
    const modifiedAt = this.clock.now();
    const record = { key, size, etag, headers, modifiedAt, version: newVersion(modifiedAt) };
    const draft = this.#layout.newIncoming(modifiedAt);
    const blob = this.#layout.blob(place, record.version);
    let unplaced = [bytes, draft, blob];
    try {
      await makeFolder(place.folder);
      await writeDurably(draft, [Buffer.from(JSON.stringify(record))]);
      await rename(bytes, blob);
      await this.#inTurn(place, async () => {
        const before = await this.#read(place);
        await rename(draft, place.record);
        unplaced = [];
        await syncFolder(place.folder);
        if (before) await rm(this.#layout.blob(place, before.version), { force: true });
      });
      return record;
    } catch (error) {
      await Promise.allSettled(unplaced.map((path) => rm(path, { force: true })));
      throw error;
    }
  }

  async #remove(place: ObjectLocation): Promise<void> {
    await this.#inTurn(place, async () => {
      const record = await this.#read(place);
      await rm(place.record, { force: true });
      if (record) await rm(this.#layout.blob(place, record.version), { force: true });
    });
  }

  async #read(place: ObjectLocation): Promise<ObjectRecord | null> {
    const text = await ifThere(readFile(place.record, 'utf8'));
    return text === null ? null : readRecord(text);
  }

  /** Runs `work`, and repeats it if the bytes were replaced after their record was read. */
  async #withBytes<T>(place: ObjectLocation, work: (record: ObjectRecord) => Promise<T | null>): Promise<T | null> {
    let tried: string | undefined;
    for (;;) {
      const record = await this.#read(place);
      if (!record || record.version === tried) return null;
      const result = await work(record);
      if (result !== null) return result;
      tried = record.version;
    }
  }

  /** Serializes the writes of a record within the process, so that each writer knows the record it replaces. */
  async #inTurn(place: ObjectLocation, work: () => Promise<void>): Promise<void> {
    const before = this.#turns.get(place.record) ?? Promise.resolve();
    const turn = before.then(work);
    const over = turn.catch(() => undefined);
    this.#turns.set(place.record, over);
    try {
      await turn;
    } finally {
      if (this.#turns.get(place.record) === over) this.#turns.delete(place.record);
    }
  }

  /** @throws DomainError `unavailable` when the disk accepts no bytes */
  async checkWrites(): Promise<void> {
    const path = await translated(this.#newFile());
    try {
      await translated(writeFile(path, Buffer.alloc(PROBE_BYTES)));
    } finally {
      await translated(rm(path, { force: true }));
    }
  }

  /** Removes the leftovers of crashes: in all folders, or in some of them if many objects are stored. */
  async tidy(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - LEFTOVER_MS);
    await translated(this.#tidyIncoming(before));
    for (let folders = 0, files = 0; !isTurnOver(folders, files); folders++) {
      const area = AREAS[Math.floor(this.#next / SHARDS) % AREAS.length]!;
      const shard = (this.#next++ % SHARDS).toString(16).padStart(2, '0');
      files += await translated(this.#tidyFolder(join(this.#layout.root, area, shard), before));
    }
  }

  /** A hard link is as old as its name; bytes that are still being written are younger. */
  async #tidyIncoming(before: Date): Promise<void> {
    const names = (await namesIn(this.#layout.incoming)).filter((name) => !(timeOfVersion(name) >= before));
    await forEach(names, FILES_AT_ONCE, async (name) => {
      const path = join(this.#layout.incoming, name);
      const facts = await ifThere(stat(path));
      if (facts && facts.mtime < before) await rm(path, { force: true });
    });
  }

  /** @returns the number of files in the folder */
  async #tidyFolder(folder: string, before: Date): Promise<number> {
    const versions = new Map<string, string[]>();
    const recorded = new Set<string>();
    const names = await namesIn(folder);
    for (const name of names) {
      const [hash = '', version = ''] = name.split('.');
      if (version === 'json') recorded.add(hash);
      else versions.set(hash, [...(versions.get(hash) ?? []), version]);
    }
    // An object with one file of bytes is whole: its record is written last, and older bytes are removed after.
    const suspects = [...versions].filter(([hash, of]) => of.length > 1 || !recorded.has(hash));
    await forEach(suspects, FILES_AT_ONCE, async ([hash, of]) => {
      const text = await ifThere(readFile(join(folder, `${hash}.json`), 'utf8'));
      const current = text === null ? null : readRecord(text);
      for (const version of of) {
        if (version === current?.version || timeOfVersion(version) >= before) continue;
        await rm(join(folder, `${hash}.${version}`), { force: true });
      }
    });
    return names.length;
  }
}

/** In order; none when the folder does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return ((await ifThere(readdir(folder))) ?? []).sort();
}
