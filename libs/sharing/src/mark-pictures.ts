import type { JobRun, Jobs, UnitOfWork } from '#kernel';
import { scheduleFileDeletion, type ObjectStorage } from '#files';
import {
  SourceFailure,
  type DerivedFiles,
  type FilePreview,
  type SignCopy,
  type StoreFile,
  type TemporaryFolders,
  type TypedFile,
} from '#sources';
import { hasOverlay, type Overlay } from './domain/share.ts';
import type { Clips, ItemToMark, MadeCopies, MarkedPictureStore, Watermarks } from './ports.ts';
import { announceMarking } from './requested-pictures.ts';

/** Pictures of one pass of the sweep. */
const OF_A_SWEEP = 1_000;

/** Makes the copies that guests of a link get, marked pictures and clips: once for each item, however often the job runs. */
export class MarkPictures {
  constructor(
    private readonly deps: {
      readonly pictures: Pick<MarkedPictureStore, 'waiting' | 'withoutJob' | 'save' | 'forgetUnrequested'>;
      readonly watermarks: Watermarks;
      readonly clips: Clips;
      readonly derived: Pick<DerivedFiles, 'together' | 'preview'>;
      readonly sign: SignCopy;
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

  /** Gives up on what is not made: guests get no copies of these items. */
  async fail(shareId: number, mediaIds: readonly number[]): Promise<void> {
    for (const item of await this.deps.pictures.waiting(shareId, mediaIds))
      await this.#save(item, { pictureId: null, clipId: null });
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
    const owner = { workspaceId: item.workspaceId, personaId: null, origin: 'import' } as const;
    const made = await this.deps.derived.together(owner, signal, (store) =>
      this.deps.folders.use(async (folder) => ({
        pictureId: await orNull(this.#picture(item, folder, store, signal)),
        clipId: await orNull(this.#clip(item, folder, store, signal)),
      })),
    );
    await this.#save(item, made);
  }

  async #picture(
    { source, ...texts }: ItemToMark,
    folder: string,
    store: StoreFile,
    signal: AbortSignal,
  ): Promise<number | null> {
    if (!hasOverlay(texts) || !source) return null;
    const [file, target] = [`${folder}/source`, `${folder}/marked.webp`];
    if (!(await this.#fetch(source.key, file, signal))) return null;
    await this.deps.watermarks.mark(file, target, overlayOf(texts));
    const [contentType, from] = ['image/webp', { ...source, file }];
    const preview = await this.#preview(target, from);
    const signed = await this.deps.sign({ file: target, contentType }, from);
    return (await store({ filename: 'marked.webp', contentType, file: signed, preview })).id;
  }

  /** Large thumbnails are signed as the copy is. */
  async #preview(file: string, from: TypedFile): Promise<FilePreview | null> {
    const contentType = 'image/webp';
    const preview = await this.deps.derived.preview(file, contentType);
    const thumbnails = (preview?.thumbnails ?? []).map(async (thumbnail) => {
      return { ...thumbnail, file: await this.deps.sign({ ...thumbnail, contentType }, from) };
    });
    return preview && { ...preview, thumbnails: await Promise.all(thumbnails) };
  }

  async #clip(
    { source, videoKey, ...texts }: ItemToMark,
    folder: string,
    store: StoreFile,
    signal: AbortSignal,
  ): Promise<number | null> {
    const [file, target] = [`${folder}/video`, `${folder}/clip.mp4`];
    if (videoKey === null || !(await this.#fetch(videoKey, file, signal))) return null;
    // WebM takes no mark: that of its thumbnail says what it is.
    const poster = source && (await this.#fetch(source.key, `${folder}/poster`, signal)) ? `${folder}/poster` : null;
    if (!(await this.deps.clips.clip(file, target, overlayOf(texts), poster))) return null;
    const contentType = 'video/mp4';
    const signed = await this.deps.sign({ file: target, contentType }, { file, contentType });
    return (await store({ filename: 'clip.mp4', contentType, file: signed, preview: null })).id;
  }

  /** @returns whether the object is there */
  async #fetch(key: string, file: string, signal: AbortSignal): Promise<boolean> {
    const bytes = await this.deps.storage.open(key);
    if (bytes) await this.deps.folders.save(bytes, file, signal);
    return bytes !== null;
  }

  #save(item: ItemToMark, made: MadeCopies): Promise<void> {
    const stored = [made.pictureId, made.clipId].filter((id) => id !== null);
    return this.deps.unitOfWork.run(async () => {
      if ((await this.deps.pictures.save(item, made)) || stored.length === 0) return;
      // Deleted, or marked otherwise meanwhile.
      await scheduleFileDeletion(this.deps.jobs, item.workspaceId, stored);
    });
  }
}

const overlayOf = ({ watermark, label }: Overlay): Overlay => ({ watermark, label });

/** A file that can't be read never can. */
async function orNull<T>(making: Promise<T>): Promise<T | null> {
  return making.catch((error: unknown) => {
    if (error instanceof SourceFailure && !error.retryable) return null;
    throw error;
  });
}
