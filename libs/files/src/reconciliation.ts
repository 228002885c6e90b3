import { forEach, type Clock } from '#kernel';
import type { StoredFile } from './domain/stored-file.ts';
import { bringBackBytes } from './kept-bytes.ts';
import type { ObjectStorage, PlacedKey, Reconciliation, ReconciliationCursor, StorageRecords } from './ports.ts';

export interface ReconcileOptions {
  /** Removes stray objects, brings back kept bytes, and removes lost files that nothing refers to. */
  readonly fix: boolean;
  readonly examples?: number;
  readonly signal?: AbortSignal;
}

type FileKey = PlacedKey & Pick<StoredFile, 'id'>;

/** A comparison under way. */
interface Comparison extends ReconcileOptions {
  /** Objects and files that are not older are ignored. */
  readonly before: Date;
  /** Maximum number of objects, and of files. */
  readonly most: number;
  readonly tally: { -readonly [Name in keyof Reconciliation]: Reconciliation[Name] };
}

/** Longer than the time between storing bytes and adding their record. */
const GRACE_SECONDS = 86_400;
/** Prefixes of the service's own objects; others are left alone. */
const AREAS = ['exports/', 'files/', 'frozen/', 'kept/', 'private/', 'staging/', 'weights/'] as const;
const GROUP_SIZE = 1_000;
/** Concurrent HEAD requests. */
const AT_ONCE = 16;
/** Maximum number of objects, and of files, compared in one night. */
const NIGHTLY = 20_000;
const EXAMPLES = 20;

/**
 * Compares the objects in the storage with their records, both ways. It keeps one group in memory at a time, and
 * ignores what is younger than a day.
 */
export class StorageReconciliation {
  constructor(
    /** Finds the objects of files at either place. */
    private readonly storage: ObjectStorage,
    private readonly records: StorageRecords,
    private readonly clock: Clock,
    /** Lists and deletes objects at exactly their place. */
    private readonly places: Pick<ObjectStorage, 'list' | 'delete'>,
  ) {}

  /** @throws DomainError `unavailable` */
  async run(options: ReconcileOptions): Promise<Reconciliation> {
    return (await this.#compare({ object: null, file: null }, Infinity, options)).result;
  }

  /**
   * Compares the next part of both, once a day over all callers; removes nothing.
   *
   * @returns `null` when this day's part is done already
   * @throws DomainError `unavailable`
   */
  async runNightly(signal: AbortSignal): Promise<Reconciliation | null> {
    const from = await this.records.claimNight(this.clock.now());
    if (!from) return null;
    const { next, result } = await this.#compare(from, NIGHTLY, { fix: false, signal });
    await this.records.saveNight(next, result, this.clock.now());
    return result;
  }

  /**
   * Moves kept bytes back to all files whose object is missing. Needed after the database was restored from a backup.
   */
  async recover(signal?: AbortSignal): Promise<{ readonly files: number; readonly recovered: number }> {
    const result = { files: 0, recovered: 0 };
    for (let last: number | null = null; ;) {
      signal?.throwIfAborted();
      const files = await this.records.filesAfter(last, this.clock.now(), GROUP_SIZE);
      if (files.length === 0) return result;
      result.files += files.length;
      result.recovered += (await this.#recover(await this.#lostOf(files))).length;
      last = files.at(-1)!.id;
    }
  }

  async #compare(
    from: ReconciliationCursor,
    most: number,
    options: ReconcileOptions,
  ): Promise<{ readonly next: ReconciliationCursor; readonly result: Reconciliation }> {
    const before = new Date(this.clock.now().getTime() - GRACE_SECONDS * 1000);
    const tally = { objects: 0, strayObjects: 0, files: 0, lostFiles: 0, removed: 0, examples: [] };
    const comparison = { ...options, before, most, tally };
    const object = await this.#compareObjects(from.object, comparison);
    const file = await this.#compareFiles(from.file, comparison);
    return { next: { object, file }, result: tally };
  }

  /** @returns the last key compared; `null` at the end */
  async #compareObjects(from: string | null, comparison: Comparison): Promise<string | null> {
    const { before, most, fix, signal, tally } = comparison;
    const started = AREAS.findIndex((area) => from?.startsWith(area));
    for (const area of AREAS.slice(Math.max(0, started))) {
      const after = from?.startsWith(area) ? from : undefined;
      for await (const objects of this.places.list(area, after)) {
        signal?.throwIfAborted();
        const old = objects.filter((object) => object.modifiedAt < before);
        const stray = await this.records.unaccounted(old.map(({ key }) => key));
        if (fix && stray.length > 0) await this.places.delete(stray);
        tally.objects += objects.length;
        tally.strayObjects += stray.length;
        if (fix) tally.removed += stray.length;
        addExamples(comparison, stray);
        if (tally.objects >= most) return objects.at(-1)!.key;
      }
    }
    return null;
  }

  /** @returns the last id compared; `null` at the end */
  async #compareFiles(from: number | null, comparison: Comparison): Promise<number | null> {
    const { before, most, fix, signal, tally } = comparison;
    let last = from;
    while (tally.files < most) {
      signal?.throwIfAborted();
      const files = await this.records.filesAfter(last, before, GROUP_SIZE);
      if (files.length === 0) return null;
      const missing = await this.#lostOf(files);
      const recovered = fix ? await this.#recover(missing) : [];
      const lost = missing.filter(({ key }) => !recovered.includes(key));
      tally.files += files.length;
      tally.lostFiles += lost.length;
      const keys = lost.map(({ key }) => key);
      addExamples(comparison, keys);
      if (fix && lost.length > 0) {
        tally.removed += (await this.records.removeUnreferenced(lost.map(({ id }) => id))).length;
      }
      last = files.at(-1)!.id;
    }
    return last;
  }

  /** Returns those of the given files without an object, except for files deleted meanwhile. */
  async #lostOf(files: readonly FileKey[]): Promise<readonly FileKey[]> {
    const missing: FileKey[] = [];
    await forEach(files, AT_ONCE, async (file) => {
      if ((await this.storage.head(file.key)) === null) missing.push(file);
    });
    if (missing.length === 0) return [];
    const existing = new Set(await this.records.existing(missing.map(({ id }) => id)));
    return missing.filter(({ id }) => existing.has(id));
  }

  #recover(lost: readonly FileKey[]): Promise<readonly string[]> {
    return bringBackBytes(this.storage, lost);
  }
}

function addExamples({ tally, examples = EXAMPLES }: Comparison, keys: readonly string[]): void {
  tally.examples = [...tally.examples, ...keys.slice(0, examples - tally.examples.length)];
}
