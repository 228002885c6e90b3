import {
  HEAD_BYTES,
  partsOfFileKey,
  scheduleFileDeletion,
  type FileTypes,
  type StoredFile,
  type StoredUrls,
} from '#files';
import { DomainError, type Jobs, type UnitOfWork } from '#kernel';
import {
  THUMBNAIL_EDGES,
  type PictureDerivatives,
  type Preview,
  type Sources,
  type TemporaryFolders,
  type ThumbnailTarget,
  type Videos,
} from '#sources';
import { mediaKindOf, nameOfMedia, type MediaKind } from './domain/media-kind.ts';
import type { MediaContent, MediaSources, Thumbnail } from './domain/media.ts';

interface Preparation {
  readonly workspaceId: number;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The files stored so far. */
  readonly stored: StoredFile[];
}

/** Where a source is worked on, and which thumbnails are made of it. */
interface Workplace {
  readonly file: string;
  readonly thumbnails: readonly ThumbnailTarget[];
}

interface Brought {
  readonly file: StoredFile;
  /** `null` for what can't be seen without a program of its own, such as a 3D model. */
  readonly preview: (Preview & { readonly duration?: number | null }) | null;
}

interface Collaborators {
  readonly sources: Pick<Sources, 'bring' | 'load' | 'keep'>;
  readonly urls: StoredUrls;
  readonly fileTypes: FileTypes;
  readonly derivatives: PictureDerivatives;
  readonly videos: Videos;
  readonly folders: TemporaryFolders;
  readonly jobs: Jobs;
  readonly unitOfWork: UnitOfWork;
}

export interface PreparedMedia {
  readonly content: MediaContent;
  /** Every stored file that the content refers to. */
  readonly fileIds: readonly number[];
}

export class PrepareMedia {
  constructor(private readonly to: Collaborators) {}

  /**
   * Stores the sources, pictures upright and without their metadata, and makes thumbnails and a placeholder of the main
   * one (the control image where there is no other).
   *
   * @throws SourceFailure; DomainError `unsupported_file_type`, `not_found`, `file_expired`, `unavailable`; the
   * signal's reason when it is aborted. The deletion of files stored by then is scheduled
   */
  async prepare(workspaceId: number, sources: MediaSources, signal: AbortSignal): Promise<PreparedMedia> {
    const stored: StoredFile[] = [];
    try {
      return await this.to.folders.use((folder) => this.prepareIn({ workspaceId, folder, signal, stored }, sources));
    } catch (error) {
      await this.discard(workspaceId, stored);
      throw error;
    }
  }

  private async prepareIn(media: Preparation, { url, controlImage }: MediaSources): Promise<PreparedMedia> {
    const { folder, stored } = media;
    const all = THUMBNAIL_EDGES.map((edge) => ({ edge, file: `${folder}/thumbnail-${edge}` }));
    const main = url && (await this.bring(media, url, { file: `${folder}/main`, thumbnails: all }));
    const control =
      controlImage &&
      (await this.bring(media, controlImage, { file: `${folder}/control`, thumbnails: main ? [] : all }));
    const shown = main || control || null;
    const preview = shown?.preview;
    const thumbnails = preview ? await this.storeThumbnails(media, preview) : [];
    const sourceFiles = [main, control].flatMap((brought) => (brought ? [brought.file.id] : []));
    return {
      content: {
        fileKey: main ? main.file.key : null,
        controlImageKey: control ? control.file.key : null,
        contentType: shown?.file.contentType ?? null,
        width: preview?.width ?? null,
        height: preview?.height ?? null,
        duration: preview?.duration ?? null,
        placeholder: preview?.placeholder ?? null,
        thumbnails,
      },
      fileIds: [...new Set([...sourceFiles, ...stored.map(({ id }) => id)])],
    };
  }

  private async bring(media: Preparation, source: string, place: Workplace): Promise<Brought> {
    const { workspaceId, signal } = media;
    const url = partsOfFileKey(source) ? this.to.urls.urlOf(source) : source;
    const own = await this.to.sources.bring({ workspaceId, url, signal }, place.file);
    if (own) return { file: own, preview: await this.previewOwn(own, place, signal) };

    const contentType = await this.to.fileTypes.detect(await this.to.folders.head(place.file, HEAD_BYTES));
    const kind = contentType && mediaKindOf(contentType);
    if (!kind) {
      throw new DomainError('unsupported_file_type', 'give a picture, an MP4 video, or a glTF or FBX model');
    }
    const original = kind === 'picture' ? `${place.file}-original` : null;
    const preview = await this.preview(kind, place, original);
    const file = await this.store(media, nameOfMedia(contentType), contentType, original ?? place.file);
    return { file, preview };
  }

  /** A file of the workspace stays as it is, and is only read when it is the one that is shown. */
  private async previewOwn(own: StoredFile, place: Workplace, signal: AbortSignal): Promise<Brought['preview']> {
    const kind = mediaKindOf(own.contentType);
    if (!kind || kind === 'model' || place.thumbnails.length === 0) return null;
    await this.to.sources.load(own, place.file, signal);
    return this.preview(kind, place, null);
  }

  private async preview(
    kind: MediaKind,
    { file, thumbnails }: Workplace,
    original: string | null,
  ): Promise<Brought['preview']> {
    if (kind === 'model') return null;
    if (kind === 'video') return this.to.videos.preview(file, thumbnails);
    return this.to.derivatives.derive(file, { original, thumbnails });
  }

  private async storeThumbnails(media: Preparation, preview: Preview): Promise<Thumbnail[]> {
    const thumbnails = [];
    for (const { file, width, height } of preview.thumbnails) {
      const name = `thumbnail-${Math.max(width, height)}.webp`;
      const { key } = await this.store(media, name, 'image/webp', file);
      thumbnails.push({ key, width, height });
    }
    return thumbnails;
  }

  private async store(
    { workspaceId, signal, stored }: Preparation,
    filename: string,
    contentType: string,
    file: string,
  ): Promise<StoredFile> {
    const kept = await this.to.sources.keep({ workspaceId, personaId: null, filename, contentType, file, signal });
    stored.push(kept);
    return kept;
  }

  /** When this fails too, the sweep deletes the files an hour later. */
  private async discard(workspaceId: number, stored: readonly StoredFile[]): Promise<void> {
    const fileIds = stored.map(({ id }) => id);
    await this.to.unitOfWork.run(() => scheduleFileDeletion(this.to.jobs, workspaceId, fileIds)).catch(() => undefined);
  }
}
