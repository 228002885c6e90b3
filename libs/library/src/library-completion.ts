import type { ObjectStorage } from '#files';
import { DomainError, type Clock } from '#kernel';
import { SourceFailure, type DerivedFiles, type TemporaryFolders } from '#sources';
import type { LibraryWork, SeenItem, UnseenItem } from './ports.ts';

/** Files that are looked at by one statement. */
const BATCH = 1_000;
/** Items that are claimed at once. */
const CLAIMED = 16;
/** How long a worker has for what it has claimed. */
const CLAIM_MS = 300_000;
/** Files of one pass, and items: other sweeps of the process run meanwhile, and a pass ends soon when the worker stops. */
const MAX_BATCHES = 50;
const MAX_CLAIMS = 25;

/**
 * Completes the library: adds files that were there before it, and takes the looks of items that were added without one:
 * uploads, imports, and older files. Any number of workers may run it, and each may die at any time.
 */
export class LibraryCompletion {
  constructor(
    private readonly deps: {
      readonly work: LibraryWork;
      readonly storage: Pick<ObjectStorage, 'open'>;
      readonly derived: Pick<DerivedFiles, 'preview'>;
      readonly folders: TemporaryFolders;
      readonly clock: Clock;
      /** Maximum size of a file that is opened. */
      readonly maxBytes: number;
    },
  ) {}

  /**
   * @returns how many files were added or seen
   * @throws DomainError `unavailable`; the reason of `signal` when that is aborted
   */
  async sweep(signal: AbortSignal): Promise<number> {
    return (await this.#addOlder(signal)) + (await this.#see(signal));
  }

  async #addOlder(signal: AbortSignal): Promise<number> {
    let all = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      signal.throwIfAborted();
      const done = await this.deps.work.addOlder(this.deps.clock.now(), BATCH);
      if (done === 0) break;
      all += done;
    }
    return all;
  }

  async #see(signal: AbortSignal): Promise<number> {
    const { work, clock } = this.deps;
    let all = 0;
    for (let claim = 0; claim < MAX_CLAIMS; claim++) {
      const now = clock.now();
      const items = await work.claimUnseen(now, new Date(now.getTime() + CLAIM_MS), CLAIMED);
      const failures: unknown[] = [];
      for (const item of items) {
        signal.throwIfAborted();
        // What fails now is due again later; the others do not wait for it.
        const seen = await this.#look(item, signal).catch((error: unknown) => void failures.push(error));
        if (seen === undefined) continue;
        await work.saveSeen(item.fileId, seen);
        all++;
      }
      if (failures.length > 0) throw failures[0];
      if (items.length < CLAIMED) break;
    }
    return all;
  }

  /** @returns `null` when there is no picture that can be read */
  async #look({ key, size, contentType, thumbnailKey }: UnseenItem, signal: AbortSignal): Promise<SeenItem | null> {
    if (thumbnailKey === null && size > this.deps.maxBytes) return null;
    const source = thumbnailKey ?? key;
    const type = thumbnailKey === null ? contentType : 'image/webp';
    const bytes = await this.deps.storage.open(source);
    if (!bytes) return null;
    return this.deps.folders.use(async (folder) => {
      const file = `${folder}/item`;
      await this.deps.folders.save(bytes, file, signal);
      const preview = await this.deps.derived.preview(file, type, { edges: [] }).catch((error: unknown) => {
        if (isUnreadable(error)) return null;
        throw error;
      });
      if (!preview) return null;
      const { look, placeholder, width, height } = preview;
      return { look, placeholder, ...(thumbnailKey === null ? { width, height } : { width: null, height: null }) };
    });
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof SourceFailure || (error instanceof DomainError && error.code === 'unsupported_file_type');
}
