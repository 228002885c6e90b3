import { NOTHING_SEEN, type FileRecords, type ObjectStorage, type StoredFile } from '#files';
import { DomainError, type Clock } from '#kernel';
import type { DerivedFiles } from './derived-files.ts';
import { SourceFailure } from './domain/source-failure.ts';
import type { TemporaryFolders } from './ports.ts';

/** Files that are claimed at once. */
const CLAIMED = 16;
/** How long a worker has for what it has claimed. */
const CLAIM_MS = 300_000;
/** Claims of one pass: other sweeps of the process run meanwhile, and a pass ends soon when the worker stops. */
const MAX_CLAIMS = 25;

/**
 * Looks at stored pictures and videos that nobody has looked at, such as uploads: finds their facts, and makes their
 * thumbnails. Any number of workers may run it, and each may die at any time.
 */
export class PictureLooks {
  constructor(
    private readonly deps: {
      readonly records: Pick<FileRecords, 'claimUnseen' | 'saveSeen'>;
      readonly storage: Pick<ObjectStorage, 'open'>;
      readonly derived: Pick<DerivedFiles, 'preview' | 'complete'>;
      readonly folders: TemporaryFolders;
      readonly clock: Clock;
      /** Maximum size of a file that is opened. */
      readonly maxBytes: number;
    },
  ) {}

  /**
   * @returns how many files were looked at
   * @throws DomainError `unavailable`; the reason of `signal` when that is aborted
   */
  async sweep(signal: AbortSignal): Promise<number> {
    const { records, clock } = this.deps;
    let all = 0;
    for (let claim = 0; claim < MAX_CLAIMS; claim++) {
      const now = clock.now();
      const files = await records.claimUnseen(now, new Date(now.getTime() + CLAIM_MS), CLAIMED);
      const failures: unknown[] = [];
      for (const file of files) {
        signal.throwIfAborted();
        // A look that fails now is due again later; the others do not wait for it.
        await this.#look(file, signal).then(
          () => all++,
          (error: unknown) => failures.push(error),
        );
      }
      if (failures.length > 0) throw failures[0];
      if (files.length < CLAIMED) break;
    }
    return all;
  }

  /**
   * Looks at a stored picture or video.
   *
   * @throws as `DerivedFiles.preview`; DomainError `not_found` when its bytes are gone, `unavailable`; the signal's
   * reason when it is aborted
   */
  async look(file: StoredFile, signal: AbortSignal): Promise<void> {
    const { records, storage, derived, folders } = this.deps;
    // A file that has thumbnails lacks only its colours: those of the smallest thumbnail are the same.
    const small = file.thumbnails[0];
    const bytes = await storage.open(small?.key ?? file.key);
    if (!bytes) throw new DomainError('not_found', 'the file is gone');
    await folders.use(async (folder) => {
      const copy = `${folder}/picture`;
      await folders.save(bytes, copy, signal);
      const preview = await (small
        ? derived.preview(copy, 'image/webp', { edges: [] })
        : derived.preview(copy, file.contentType));
      if (!preview) return records.saveSeen(file.id, NOTHING_SEEN);
      if (small) {
        const { look, placeholder } = preview;
        return records.saveSeen(file.id, { ...NOTHING_SEEN, look, placeholder });
      }
      return derived.complete(file, preview, signal, (seen) => records.saveSeen(file.id, seen));
    });
  }

  /** Looks at a claimed file; one that is too large, gone or damaged has no picture. */
  async #look(file: StoredFile, signal: AbortSignal): Promise<void> {
    try {
      if (file.thumbnails.length > 0 || file.size <= this.deps.maxBytes) return await this.look(file, signal);
    } catch (error) {
      if (!hasNoPicture(error)) throw error;
    }
    await this.deps.records.saveSeen(file.id, NOTHING_SEEN);
  }
}

function hasNoPicture(error: unknown): boolean {
  if (error instanceof SourceFailure) return true;
  return error instanceof DomainError && (error.code === 'unsupported_file_type' || error.code === 'not_found');
}
