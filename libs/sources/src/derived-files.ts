import { scheduleFileDeletion, type Files, type FileToStore, type StoredFile } from '#files';
import type { Jobs, UnitOfWork } from '#kernel';
import { isPictureType, THUMBNAIL_EDGES } from './domain/picture-type.ts';
import type { PictureDerivatives, Preview, ThumbnailFile, Videos } from './ports.ts';

/** The preview of a file; a video has a duration. */
export type FilePreview = Preview & { readonly duration?: number | null };

/** Stores a local file; see `Files.store`. */
export type StoreFile = (filename: string, contentType: string, file: string) => Promise<StoredFile>;

/** Makes thumbnails locally, and stores files with their thumbnails, all or none. */
export class DerivedFiles {
  constructor(
    private readonly deps: {
      readonly files: Pick<Files, 'store'>;
      readonly derivatives: PictureDerivatives;
      readonly videos: Videos;
      readonly jobs: Jobs;
      readonly unitOfWork: UnitOfWork;
    },
  ) {}

  /**
   * Decodes a picture or video, and writes its thumbnails next to the file.
   *
   * @param options.edges the thumbnails to make (default: all)
   * @param options.original target file of the picture, upright and without its metadata
   * @returns `null` for other files, such as 3D models, and for videos if this machine can't read them
   * @throws as `PictureDerivatives.derive` and `Videos.preview`
   */
  async preview(
    file: string,
    contentType: string,
    options: { readonly edges?: readonly number[]; readonly original?: string | null } = {},
  ): Promise<FilePreview | null> {
    const { edges = THUMBNAIL_EDGES, original = null } = options;
    const thumbnails = edges.map((edge) => ({ edge, file: `${file}-thumbnail-${edge}` }));
    if (isPictureType(contentType)) return this.deps.derivatives.derive(file, { original, thumbnails });
    return contentType.startsWith('video/') ? this.deps.videos.preview(file, thumbnails) : null;
  }

  /**
   * Runs `work` with a function that stores files. If `work` fails, the deletion of the stored files is scheduled.
   *
   * @throws the error of `work`; the signal's reason when it is aborted
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
        const kept = await this.deps.files.store({ ...owner, filename, contentType, file });
        stored.push(kept.id);
        return kept;
      });
    } catch (error) {
      await this.discard(owner.workspaceId, stored);
      throw error;
    }
  }

  /** Schedules the deletion of unused files. If this fails too, the sweep deletes them. */
  async discard(workspaceId: number, fileIds: readonly number[]): Promise<void> {
    const { jobs, unitOfWork } = this.deps;
    await unitOfWork.run(() => scheduleFileDeletion(jobs, workspaceId, fileIds)).catch(() => undefined);
  }
}

/** Stores thumbnails, named by `name` and the length of their longer side. */
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
