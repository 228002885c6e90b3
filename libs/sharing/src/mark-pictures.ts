import type { JobRun, Jobs, UnitOfWork } from '#kernel';
import { scheduleFileDeletion, type ObjectStorage } from '#files';
import { SourceFailure, type DerivedFiles, type StoreFile, type TemporaryFolders } from '#sources';
import type { ItemToMark, MarkedPictureStore, Watermarks } from './ports.ts';
import { announceMarking } from './requested-pictures.ts';

/** Pictures of one pass of the sweep. */
const OF_A_SWEEP = 1_000;

/** Makes the pictures that guests of a link with a watermark get: once for each item, however often the job runs. */
export class MarkPictures {
  constructor(
    private readonly deps: {
      readonly pictures: Pick<MarkedPictureStore, 'waiting' | 'withoutJob' | 'save' | 'forgetUnrequested'>;
      readonly watermarks: Watermarks;
      readonly derived: Pick<DerivedFiles, 'together' | 'preview'>;
      readonly storage: Pick<ObjectStorage, 'open'>;
      readonly folders: TemporaryFolders;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
    },
  ) {}

  async run(shareId: number, mediaIds: readonly number[], { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    for (const item of await this.deps.pictures.waiting(shareId, mediaIds)) {
      signal.throwIfAborted();
      await this.#mark(item, signal);
    }
    await this.deps.unitOfWork.run(() => this.deps.pictures.forgetUnrequested(shareId, mediaIds));
  }

  /** Gives up on what is not made: guests get no picture of these items. */
  async fail(shareId: number, mediaIds: readonly number[]): Promise<void> {
    for (const item of await this.deps.pictures.waiting(shareId, mediaIds)) await this.#save(item, null);
  }

  /** Announces jobs for pictures that wait without one. @returns how many */
  sweep(): Promise<number> {
    const { pictures, jobs, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      const waiting = await pictures.withoutJob(OF_A_SWEEP);
      for (const [id, items] of Map.groupBy(waiting, ({ shareId }) => shareId)) {
        const [{ workspaceId }] = items as [(typeof items)[number]];
        const mediaIds = items.map(({ mediaId }) => mediaId);
        await announceMarking(jobs, { id, workspaceId }, mediaIds);
      }
      return waiting.length;
    });
  }

  async #mark(item: ItemToMark, signal: AbortSignal): Promise<void> {
    const { workspaceId } = item;
    const owner = { workspaceId, personaId: null, origin: 'import' } as const;
    const fileId = await this.deps.derived
      .together(owner, signal, (store) => this.deps.folders.use((folder) => this.#make(item, folder, store, signal)))
      .catch((error: unknown) => {
        // A picture that can't be read never can.
        if (error instanceof SourceFailure && !error.retryable) return null;
        throw error;
      });
    await this.#save(item, fileId);
  }

  /** @returns the stored picture; `null` for an item without one */
  async #make(
    { source, watermark }: ItemToMark,
    folder: string,
    store: StoreFile,
    signal: AbortSignal,
  ): Promise<number | null> {
    const bytes = source && (await this.deps.storage.open(source.key));
    if (!bytes) return null;
    const [file, target] = [`${folder}/source`, `${folder}/marked.webp`];
    await this.deps.folders.save(bytes, file, signal);
    await this.deps.watermarks.mark(file, target, watermark);
    const preview = await this.deps.derived.preview(target, 'image/webp');
    return (await store({ filename: 'marked.webp', contentType: 'image/webp', file: target, preview })).id;
  }

  #save(item: ItemToMark, fileId: number | null): Promise<void> {
    return this.deps.unitOfWork.run(async () => {
      if ((await this.deps.pictures.save(item, fileId)) || fileId === null) return;
      // Deleted, or marked otherwise meanwhile.
      await scheduleFileDeletion(this.deps.jobs, item.workspaceId, [fileId]);
    });
  }
}
