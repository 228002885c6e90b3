import { scheduleFileDeletion, type Files, type FileToStore, type StoredFile } from '#files';
import type { Jobs, UnitOfWork } from '#kernel';
import { isPictureType, THUMBNAIL_EDGES } from './domain/picture-type.ts';
import type { PictureDerivatives, Preview, ThumbnailFile, Videos } from './ports.ts';

/** What is shown of a file; a video has a duration. */
export type FilePreview = Preview & { readonly duration?: number | null };

/** Stores a file of this machine; see `Files.store`. */
export type StoreFile = (filename: string, contentType: string, file: string) => Promise<StoredFile>;

/** Files with their thumbnails: made on this machine, then stored all together. */
export class DerivedFiles {
  constructor(
    private readonly to: {
      readonly files: Pick<Files, 'store'>;
      readonly derivatives: PictureDerivatives;
      readonly videos: Videos;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
    },
  ) {}

  /**
   * Decodes a picture or video, and makes its thumbnails beside it.
   *
   * @param options.edges which thumbnails are made; all by default
   * @param options.original where a picture is written upright and without its metadata
   * @returns `null` for what has no picture, such as a 3D model, and for a video where this machine can't read videos
   * @throws as `PictureDerivatives.derive` and `Videos.preview`
   */
  async preview(
    file: string,
    contentType: string,
    options: { readonly edges?: readonly number[]; readonly original?: string | null } = {},
  ): Promise<FilePreview | null> {
    const { edges = THUMBNAIL_EDGES, original = null } = options;
    const thumbnails = edges.map((edge) => ({ edge, file: `${file}-thumbnail-${edge}` }));
    if (isPictureType(contentType)) return this.to.derivatives.derive(file, { original, thumbnails });
    return contentType.startsWith('video/') ? this.to.videos.preview(file, thumbnails) : null;
  }

  /**
   * Runs `work` with a function that stores files. When `work` fails, the deletion of those stored by then is scheduled.
   *
   * @throws what `work` throws; the signal's reason when it is aborted
   */
  async together<T>(
    owner: Pick<FileToStore, 'workspaceId' | 'personaId' | 'origin'>,
    signal: AbortSignal | undefined,
    work: (store: StoreFile) => Promise<T>,
  ): Promise<T> {
    const stored: number[] = [];
    try {
      return await work(async (filename, contentType, file) => {
        signal?.throwIfAborted();
        const kept = await this.to.files.store({ ...owner, filename, contentType, file });
        stored.push(kept.id);
        return kept;
      });
    } catch (error) {
      await this.discard(owner.workspaceId, stored);
      throw error;
    }
  }

  /** Schedules the deletion of files that were stored for nothing. When this fails too, the sweep deletes them. */
  async discard(workspaceId: number, fileIds: readonly number[]): Promise<void> {
    const { jobs, unitOfWork } = this.to;
    await unitOfWork.run(() => scheduleFileDeletion(jobs, workspaceId, fileIds)).catch(() => undefined);
  }
}

/** Stores thumbnails under the name and the length of their longer side. */
export async function storeThumbnails(
  store: StoreFile,
  name: string,
  thumbnails: readonly ThumbnailFile[],
): Promise<{ readonly stored: StoredFile; readonly width: number; readonly height: number }[]> {
  const all = [];
  for (const { file, width, height } of thumbnails) {
    const stored = await store(`${name}-${Math.max(width, height)}.webp`, 'image/webp', file);
    all.push({ stored, width, height });
  }
  return all;
}
