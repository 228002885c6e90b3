import { link, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { forEach, type Clock } from '#kernel';
import type { CopyOptions, ObjectHeaders } from '#files';
import { FILES_AT_ONCE, ifThere, makeFolder, syncFolder, writeDurably } from './disk-files.ts';
import {
  AREAS,
  newVersion,
  type DiskLayout,
  type ObjectPlace,
  readRecord,
  writeRecord,
  type ObjectRecord,
} from './disk-layout.ts';

/** An open object: its bytes can be read to the end even if it is replaced or deleted meanwhile. */
export interface OpenedObject {
  readonly record: ObjectRecord;
  readonly bytes: FileHandle;
}

/**
 * Objects as files: the bytes in a file that never changes, and a record that names it. An object is replaced by one
 * rename and copied by a hard link, whatever its size. Errors are those of the file system.
 */
export class DiskObjects {
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly layout: DiskLayout,
    private readonly clock: Clock,
  ) {}

  find(key: string): Promise<ObjectRecord | null> {
    return this.#read(this.layout.place(key));
  }

  open(key: string): Promise<OpenedObject | null> {
    const place = this.layout.place(key);
    return this.#withBytes(place, async (record) => {
      const bytes = await ifThere(open(this.layout.blob(place, record.version), 'r'));
      return bytes && { record, bytes };
    });
  }

  /** @param write creates the file `path` and returns its size */
  async store(key: string, headers: ObjectHeaders, write: (path: string) => Promise<number>): Promise<ObjectRecord> {
    const incoming = this.layout.newIncoming();
    await makeFolder(this.layout.incoming);
    try {
      const size = await write(incoming);
      return await this.#place(key, { size, etag: newVersion(this.clock.now()), headers }, incoming);
    } catch (error) {
      await rm(incoming, { force: true });
      throw error;
    }
  }

  /** `null` when there is no such object, or it has a different etag. */
  copy(from: string, to: string, options: CopyOptions): Promise<ObjectRecord | null> {
    const source = this.layout.place(from);
    return this.#withBytes(source, async (record) => {
      if (options.ifMatch !== undefined && record.etag !== options.ifMatch) return null;
      const blob = this.layout.blob(source, record.version);
      const { size, etag, headers } = record;
      const facts = { size, etag, headers: options.headers ?? headers };
      const linked = this.layout.newIncoming();
      await makeFolder(this.layout.incoming);
      if ((await ifThere(link(blob, linked).then(() => true))) === null) return null;
      return this.#place(to, facts, linked);
    });
  }

  async remove(keys: readonly string[]): Promise<void> {
    const places = keys.map((key) => this.layout.place(key));
    await forEach(places, FILES_AT_ONCE, (place) =>
      this.#inTurn(place, async () => {
        const record = await this.#read(place);
        await rm(place.record, { force: true });
        if (record) await rm(this.layout.blob(place, record.version), { force: true });
      }),
    );
    const folders = [...new Set(places.map((place) => place.folder))];
    await forEach(folders, FILES_AT_ONCE, async (folder) => {
      await ifThere(syncFolder(folder));
    });
  }

  /** The objects whose key starts with `prefix`, by area and hash, after that of the key `after`. */
  async *list(prefix: string, after?: string): AsyncIterable<ObjectRecord> {
    const last = after === undefined ? null : this.layout.place(after);
    for (const area of AREAS) {
      if (!`${area}/`.startsWith(prefix) && !prefix.startsWith(`${area}/`)) continue;
      if (last && area < last.area) continue;
      const seen = last?.area === area ? last.hash : '';
      const folder = join(this.layout.root, area);
      for (const shard of await namesIn(folder)) {
        if (shard < seen.slice(0, 2)) continue;
        for (const name of await namesIn(join(folder, shard))) {
          const hash = /^(.+)\.json$/.exec(name)?.[1] ?? '';
          if (hash <= seen) continue;
          const record = await this.#read(this.layout.placeOf(area, hash));
          if (record?.key.startsWith(prefix)) yield record;
        }
      }
    }
  }

  /** Moves the file `bytes` to its place, writes the record that names it, and removes what that replaces. */
  async #place(
    key: string,
    facts: Pick<ObjectRecord, 'size' | 'etag' | 'headers'>,
    bytes: string,
  ): Promise<ObjectRecord> {
    const place = this.layout.place(key);
    const modifiedAt = this.clock.now();
    const record = { key, ...facts, modifiedAt, version: newVersion(modifiedAt) };
    const draft = this.layout.newIncoming();
    await makeFolder(place.folder);
    await writeDurably(draft, [Buffer.from(writeRecord(record))]);
    await rename(bytes, this.layout.blob(place, record.version));
    await this.#inTurn(place, async () => {
      const before = await this.#read(place);
      await rename(draft, place.record);
      await syncFolder(place.folder);
      if (before) await rm(this.layout.blob(place, before.version), { force: true });
    });
    return record;
  }

  async #read(place: ObjectPlace): Promise<ObjectRecord | null> {
    const text = await ifThere(readFile(place.record, 'utf8'));
    return text === null ? null : readRecord(text);
  }

  /** Runs `work`, and again whenever the bytes were replaced after their record was read. */
  async #withBytes<T>(place: ObjectPlace, work: (record: ObjectRecord) => Promise<T | null>): Promise<T | null> {
    let tried: string | undefined;
    for (;;) {
      const record = await this.#read(place);
      if (!record || record.version === tried) return null;
      const result = await work(record);
      if (result !== null) return result;
      tried = record.version;
    }
  }

  /** Within a process, records of a key are written one after the other, so each writer knows what it replaces. */
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

/** In order; none when the folder does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return ((await ifThere(readdir(folder))) ?? []).sort();
}
