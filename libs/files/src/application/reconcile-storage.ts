import type { Clock } from '#kernel';
import type { ObjectStorage } from '../ports/object-storage.ts';
import type { ReconciliationCursor, StorageRecords } from '../ports/storage-records.ts';

/** What storage and records do not agree about. */
export interface Reconciliation {
  readonly objects: number;
  /** Objects that no record accounts for. */
  readonly strayObjects: number;
  readonly files: number;
  /** Files whose bytes are not there. */
  readonly lostFiles: number;
  /** How many of both were removed. */
  readonly removed: number;
  /** The first few, as keys. */
  readonly examples: readonly string[];
}

export interface ReconcileOptions {
  /** Whether to remove stray objects, and lost files that nothing refers to. */
  readonly fix: boolean;
  readonly examples?: number;
  readonly signal?: AbortSignal;
}

/** Longer than anything may take from bytes to a record. */
const GRACE_SECONDS = 86_400;
/** Where the service's own objects are: whatever else is in the storage is somebody else's. */
const AREAS = ['files/', 'frozen/', 'staging/'] as const;
const BATCH = 1_000;
/** Objects asked for at once. */
const AT_ONCE = 16;
/** Objects and files looked at in one night, each. */
const SLICE = 20_000;

/**
 * Compares the objects in the storage with the records of them, both ways. It holds one batch in memory at a time,
 * and leaves out what is younger than a day.
 */
export class ReconcileStorage {
  readonly #storage: ObjectStorage;
  readonly #records: StorageRecords;
  readonly #clock: Clock;

  constructor(storage: ObjectStorage, records: StorageRecords, clock: Clock) {
    this.#storage = storage;
    this.#records = records;
    this.#clock = clock;
  }

  /** @throws DomainError `unavailable` */
  async run(options: ReconcileOptions): Promise<Reconciliation> {
    const tally = new Tally(options.examples ?? 20);
    await this.#compare({ object: null, file: null }, Infinity, options, tally);
    return tally.result();
  }

  /**
   * Looks at the next part of both, once a day whoever calls; removes nothing.
   *
   * @returns `null` when this day's part was taken already
   * @throws DomainError `unavailable`
   */
  async runNightly(signal: AbortSignal): Promise<Reconciliation | null> {
    const from = await this.#records.takeNight(this.#clock.now());
    if (!from) return null;
    const tally = new Tally(20);
    await this.#records.goOnFrom(await this.#compare(from, SLICE, { fix: false, signal }, tally));
    return tally.result();
  }

  async #compare(
    from: ReconciliationCursor,
    most: number,
    options: ReconcileOptions,
    tally: Tally,
  ): Promise<ReconciliationCursor> {
    const before = new Date(this.#clock.now().getTime() - GRACE_SECONDS * 1000);
    return {
      object: await this.#compareObjects(from.object, before, most, options, tally),
      file: await this.#compareFiles(from.file, before, most, options, tally),
    };
  }

  /** @returns the last key looked at; `null` at the end of all */
  async #compareObjects(
    from: string | null,
    before: Date,
    most: number,
    { fix, signal }: ReconcileOptions,
    tally: Tally,
  ): Promise<string | null> {
    let looked = 0;
    const started = AREAS.findIndex((area) => from?.startsWith(area));
    for (const area of AREAS.slice(Math.max(0, started))) {
      const after = from?.startsWith(area) ? from : undefined;
      for await (const objects of this.#storage.list(area, after)) {
        signal?.throwIfAborted();
        const old = objects.filter((object) => object.modifiedAt < before);
        const stray = await this.#records.unaccounted(old.map(({ key }) => key));
        if (fix && stray.length > 0) await this.#storage.delete(stray);
        tally.addObjects(objects.length, stray, fix);
        looked += objects.length;
        if (looked >= most) return objects.at(-1)!.key;
      }
    }
    return null;
  }

  /** @returns the last id looked at; `null` at the end of all */
  async #compareFiles(
    from: number | null,
    before: Date,
    most: number,
    { fix, signal }: ReconcileOptions,
    tally: Tally,
  ): Promise<number | null> {
    let last = from;
    for (let looked = 0; looked < most;) {
      signal?.throwIfAborted();
      const files = await this.#records.filesAfter(last, before, BATCH);
      if (files.length === 0) return null;
      const missing = await this.#withoutObject(files);
      // Deleted in the meantime, record and bytes, as it should be.
      const there = new Set(
        missing.length > 0 ? await this.#records.stillThere(missing.map((f) => f.id)) : [],
      );
      const lost = missing.filter(({ id }) => there.has(id));
      const removed =
        fix && lost.length > 0 ? await this.#records.removeUnreferred(lost.map((f) => f.id)) : [];
      tally.addFiles(
        files.length,
        lost.map((file) => file.key),
        removed.length,
      );
      looked += files.length;
      last = files.at(-1)!.id;
    }
    return last;
  }

  async #withoutObject<File extends { readonly key: string }>(files: readonly File[]): Promise<File[]> {
    const missing: File[] = [];
    const waiting = [...files];
    const look = async (): Promise<void> => {
      for (let file = waiting.pop(); file; file = waiting.pop()) {
        if ((await this.#storage.head(file.key)) === null) missing.push(file);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, look));
    return missing;
  }
}

/** Counts, and keeps a few examples. */
class Tally {
  readonly #most: number;
  readonly #examples: string[] = [];
  #objects = 0;
  #strayObjects = 0;
  #files = 0;
  #lostFiles = 0;
  #removed = 0;

  constructor(examples: number) {
    this.#most = examples;
  }

  addObjects(looked: number, stray: readonly string[], removed: boolean): void {
    this.#objects += looked;
    this.#strayObjects += stray.length;
    if (removed) this.#removed += stray.length;
    this.#show(stray);
  }

  addFiles(looked: number, lost: readonly string[], removed: number): void {
    this.#files += looked;
    this.#lostFiles += lost.length;
    this.#removed += removed;
    this.#show(lost);
  }

  result(): Reconciliation {
    return {
      objects: this.#objects,
      strayObjects: this.#strayObjects,
      files: this.#files,
      lostFiles: this.#lostFiles,
      removed: this.#removed,
      examples: this.#examples,
    };
  }

  #show(keys: readonly string[]): void {
    this.#examples.push(...keys.slice(0, this.#most - this.#examples.length));
  }
}
