import type { ObjectStorage } from '#files';
import { DomainError, type Clock } from '#kernel';
import { SourceFailure, storeThumbnails, type DerivedFiles, type FilePreview, type TemporaryFolders } from '#sources';
import type { LibraryWork, UnseenItem } from './ports.ts';

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
 * Completes the library: adds files that were there before it, takes the looks of items that were added without one, and
 * makes their thumbnails: uploads, imports, and older files. Any number of workers may run it, and each may die at any time.
 */
export class LibraryCompletion {
  constructor(
    private readonly deps: {
      readonly work: LibraryWork;
      readonly storage: Pick<ObjectStorage, 'open'>;
      readonly derived: Pick<DerivedFiles, 'preview' | 'together' | 'discard'>;
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
        await this.#complete(item, signal).then(
          () => all++,
          (error: unknown) => failures.push(error),
        );
      }
      if (failures.length > 0) throw failures[0];
      if (items.length < CLAIMED) break;
    }
    return all;
  }

  async #complete(item: UnseenItem, signal: AbortSignal): Promise<void> {
    const { work, storage, derived, folders, maxBytes } = this.deps;
    const { fileId, workspaceId, key, size, thumbnailKey } = item;
    const isReadable = thumbnailKey !== null || size <= maxBytes;
    const bytes = isReadable ? await storage.open(thumbnailKey ?? key) : null;
    if (!bytes) return void (await work.saveSeen(fileId, null));
    await folders.use(async (folder) => {
      const file = `${folder}/item`;
      await folders.save(bytes, file, signal);
      const preview = await this.#preview(file, item);
      if (!preview) return work.saveSeen(fileId, null);
      const { look, placeholder } = preview;
      if (thumbnailKey !== null) {
        return work.saveSeen(fileId, { look, placeholder, width: null, height: null, thumbnails: [] });
      }
      // They belong to no persona: whether they are needed depends on their picture.
      return derived.together({ workspaceId, personaId: null, origin: 'output' }, signal, async (store) => {
        const stored = await storeThumbnails(store, 'thumbnail', preview.thumbnails);
        const thumbnails = stored.map(({ stored: { id }, ...sides }) => ({ fileId: id, ...sides }));
        const { width, height } = preview;
        const isSaved = await work.saveSeen(fileId, { look, placeholder, width, height, thumbnails });
        const ids = thumbnails.map((each) => each.fileId);
        if (!isSaved) await derived.discard(workspaceId, ids);
      });
    });
  }

  /** @returns `null` when there is no picture that can be read */
  async #preview(file: string, { contentType, thumbnailKey }: UnseenItem): Promise<FilePreview | null> {
    const { derived } = this.deps;
    try {
      if (thumbnailKey !== null) return await derived.preview(file, 'image/webp', { edges: [] });
      return await derived.preview(file, contentType);
    } catch (error) {
      if (isUnreadable(error)) return null;
      throw error;
    }
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof SourceFailure || (error instanceof DomainError && error.code === 'unsupported_file_type');
}
