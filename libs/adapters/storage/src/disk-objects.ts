import { link, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#kernel';
import type { ObjectHeaders } from '#files';
import { forEach, ifThere, makeFolder, syncFolder, writeDurably } from './disk-files.ts';
import { AREAS, newVersion, type DiskLayout, type ObjectPlace } from './disk-layout.ts';
import { readRecord, writeRecord, type ObjectRecord } from './object-record.ts';

/** An object that is open: whatever happens to it meanwhile, its bytes can be read to the end. */
export interface OpenedObject {
  readonly record: ObjectRecord;
  readonly bytes: FileHandle;
}

/**
 * Objects as files: the bytes in one that never changes, and a record that names it. So an object is replaced by
 * one rename, and copied by a hard link, however large it is. Errors are those of the file system.
 */
export class DiskObjects {
  readonly #layout: DiskLayout;
  readonly #clock: Clock;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(layout: DiskLayout, clock: Clock) {
    this.#layout = layout;
    this.#clock = clock;
  }

  find(key: string): Promise<ObjectRecord | null> {
    return this.#read(this.#layout.place(key));
  }

  open(key: string): Promise<OpenedObject | null> {
    const place = this.#layout.place(key);
    return this.#withBytes(place, async (record) => {
      const bytes = await ifThere(open(this.#layout.blob(place, record.version), 'r'));
      return bytes && { record, bytes };
    });
  }

  /** @param write writes the new file `path` and tells its size */
  async store(
    key: string,
    headers: ObjectHeaders,
    write: (path: string) => Promise<number>,
  ): Promise<ObjectRecord> {
    const incoming = this.#layout.newIncoming();
    await makeFolder(this.#layout.incoming);
    try {
      const size = await write(incoming);
      return await this.#place(key, { size, etag: newVersion(this.#clock.now()), headers }, incoming);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
  }

  /** `null` when there is no such object, or it has another etag. */
  copy(
    from: string,
    to: string,
    options: { readonly ifMatch?: string; readonly headers?: ObjectHeaders },
  ): Promise<ObjectRecord | null> {
    const source = this.#layout.place(from);
    return this.#withBytes(source, async (record) => {
      if (options.ifMatch !== undefined && record.etag !== options.ifMatch) return null;
      const blob = this.#layout.blob(source, record.version);
      const { size, etag, headers } = record;
      const facts = { size, etag, headers: options.headers ?? headers };
      const linked = this.#layout.newIncoming();
      await makeFolder(this.#layout.incoming);
      if ((await ifThere(link(blob, linked).then(() => true))) === null) return null;
      return this.#place(to, facts, linked);
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    const places = keys.map((key) => this.#layout.place(key));
    await forEach(places, (place) =>
      this.#inTurn(place, async () => {
        const record = await this.#read(place);
        await rm(place.record, { force: true });
        if (record) await rm(this.#layout.blob(place, record.version), { force: true });
      }),
    );
    const folders = [...new Set(places.map((place) => place.folder))];
    await forEach(folders, async (folder) => {
      await ifThere(syncFolder(folder));
    });
  }

  /** The objects of keys with `prefix`, by area and hash, from after that of the key `after` on. */
  async *list(prefix: string, after?: string): AsyncIterable<ObjectRecord> {
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

  /** Moves the file `bytes` to its place and writes the record that names it; what that replaces is removed. */
  async #place(
    key: string,
    facts: Pick<ObjectRecord, 'size' | 'etag' | 'headers'>,
    bytes: string,
  ): Promise<ObjectRecord> {
    const place = this.#layout.place(key);
    const modifiedAt = this.#clock.now();
    const record = { key, ...facts, modifiedAt, version: newVersion(modifiedAt) };
    const draft = this.#layout.newIncoming();
    await makeFolder(place.folder);
    await writeDurably(draft, [Buffer.from(writeRecord(record))]);
    await rename(bytes, this.#layout.blob(place, record.version));
    await this.#inTurn(place, async () => {
      const before = await this.#read(place);
      await rename(draft, place.record);
      await syncFolder(place.folder);
      if (before) await rm(this.#layout.blob(place, before.version), { force: true });
    });
    return record;
  }

  async #read(place: ObjectPlace): Promise<ObjectRecord | null> {
    const text = await ifThere(readFile(place.record, 'utf8'));
    return text === null ? null : readRecord(text);
  }

  /** Does `work`, and once more whenever the bytes were replaced between the reading of the record and theirs. */
  async #withBytes<T>(
    place: ObjectPlace,
    work: (record: ObjectRecord) => Promise<T | null>,
  ): Promise<T | null> {
    let tried: string | undefined;
    for (;;) {
      const record = await this.#read(place);
      if (!record || record.version === tried) return null;
      const result = await work(record);
      if (result !== null) return result;
      tried = record.version;
    }
  }

  /** In one process, records of a key are written one after the other: each writer knows what it replaces. */
  async #inTurn(place: ObjectPlace, work: () => Promise<void>): Promise<void> {
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
}

/** In order; none when the folder is not there. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return ((await ifThere(readdir(folder))) ?? []).sort();
}
