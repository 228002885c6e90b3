import { DomainError, type Jobs, type UnitOfWork } from '#kernel';
import type { MediaPreparation, MediaSources, PreparedMedia } from '#board';
import {
  scheduleFileDeletion,
  type AdoptFile,
  type FileTypes,
  type ObjectStorage,
  type StoredFile,
  type StoreFile,
} from '#files';
import { mediaKindOf, nameOfMedia, type MediaKind } from '../domain/media-kind.ts';
import type { PictureLimits } from '../domain/picture-limits.ts';
import { THUMBNAIL_EDGES } from '../domain/thumbnails.ts';
import type { PictureDerivatives, Preview, ThumbnailWish } from '../ports/picture-derivatives.ts';
import type { RemoteSources } from '../ports/remote-sources.ts';
import type { TemporaryFolders } from '../ports/temporary-folders.ts';
import type { Videos } from '../ports/videos.ts';

/** What the type of a file is told from. */
const HEAD_BYTES = 65_536;

/** What is known of one media while it is prepared. */
interface Preparation {
  readonly workspaceId: number;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The files stored so far. */
  readonly stored: StoredFile[];
}

/** Where one of its sources is to be worked on, and which smaller pictures are wanted. */
interface Workplace {
  readonly file: string;
  readonly thumbnails: readonly ThumbnailWish[];
}

interface Brought {
  readonly file: StoredFile;
  /** `null` for what can't be seen without a program of its own, such as a 3D model. */
  readonly preview: (Preview & { readonly duration?: number | null }) | null;
}

/** Brings what a media of a board is made of into the object storage, ready to be shown. */
export class PrepareMedia implements MediaPreparation {
  readonly #adoptFile: Pick<AdoptFile, 'run'>;
  readonly #storeFile: Pick<StoreFile, 'run'>;
  readonly #storage: Pick<ObjectStorage, 'open' | 'publicUrl'>;
  readonly #fileTypes: FileTypes;
  readonly #sources: RemoteSources;
  readonly #derivatives: PictureDerivatives;
  readonly #videos: Videos;
  readonly #folders: TemporaryFolders;
  readonly #jobs: Jobs;
  readonly #unitOfWork: UnitOfWork;
  readonly #limits: PictureLimits;

  constructor(
    adoptFile: Pick<AdoptFile, 'run'>,
    storeFile: Pick<StoreFile, 'run'>,
    storage: Pick<ObjectStorage, 'open' | 'publicUrl'>,
    fileTypes: FileTypes,
    sources: RemoteSources,
    derivatives: PictureDerivatives,
    videos: Videos,
    folders: TemporaryFolders,
    jobs: Jobs,
    unitOfWork: UnitOfWork,
    limits: PictureLimits,
  ) {
    this.#adoptFile = adoptFile;
    this.#storeFile = storeFile;
    this.#storage = storage;
    this.#fileTypes = fileTypes;
    this.#sources = sources;
    this.#derivatives = derivatives;
    this.#videos = videos;
    this.#folders = folders;
    this.#jobs = jobs;
    this.#unitOfWork = unitOfWork;
    this.#limits = limits;
  }

  /**
   * @throws SourceFailure; DomainError `unsupported_file_type`, `not_found`, `file_expired`, `unavailable`; the signal's
   * reason when it is aborted. Files that were stored by then are given back
   */
  async prepare(workspaceId: number, sources: MediaSources, signal: AbortSignal): Promise<PreparedMedia> {
    const stored: StoredFile[] = [];
    try {
      return await this.#folders.use((folder) =>
        this.#prepare({ workspaceId, folder, signal, stored }, sources),
      );
    } catch (error) {
      await this.#giveBack(stored);
      throw error;
    }
  }

  async #prepare(media: Preparation, { url, controlImage }: MediaSources): Promise<PreparedMedia> {
    const wishes = THUMBNAIL_EDGES.map((edge) => ({ edge, file: `${media.folder}/thumbnail-${edge}` }));
    const main = url && (await this.#bring(media, url, { file: `${media.folder}/main`, thumbnails: wishes }));
    const control =
      controlImage &&
      (await this.#bring(media, controlImage, {
        file: `${media.folder}/control`,
        thumbnails: main ? [] : wishes,
      }));
    const shown = main || control || null;
    const thumbnails = shown?.preview ? await this.#storeThumbnails(media, shown.preview) : [];
    const sourceFiles = [main, control].flatMap((brought) => (brought ? [brought.file.id] : []));
    return {
      url: main ? this.#storage.publicUrl(main.file.key) : null,
      controlImage: control ? this.#storage.publicUrl(control.file.key) : null,
      contentType: shown?.file.contentType ?? null,
      width: shown?.preview?.width ?? null,
      height: shown?.preview?.height ?? null,
      duration: shown?.preview?.duration ?? null,
      placeholder: shown?.preview?.placeholder ?? null,
      thumbnails,
      fileIds: [...new Set([...sourceFiles, ...media.stored.map(({ id }) => id)])],
    };
  }

  async #bring(media: Preparation, source: string, place: Workplace): Promise<Brought> {
    const { workspaceId, signal } = media;
    const own = await this.#unitOfWork.run(() => this.#adoptFile.run({ workspaceId, url: source }));
    if (own) return { file: own, preview: await this.#previewOwn(own, place, signal) };

    await this.#sources.fetchToFile(source, place.file, { maxBytes: this.#limits.maxBytes, signal });
    const contentType = await this.#fileTypes.detect(await this.#folders.head(place.file, HEAD_BYTES));
    const kind = contentType && mediaKindOf(contentType);
    if (!kind) throw unsupported();
    const original = kind === 'picture' ? `${place.file}-original` : null;
    const preview = await this.#preview(kind, place, original);
    const file = await this.#store(media, nameOfMedia(contentType), contentType, original ?? place.file);
    return { file, preview };
  }

  /** A file of the workspace stays as it is; there is only something to do when it is the one that is shown. */
  async #previewOwn(own: StoredFile, place: Workplace, signal: AbortSignal): Promise<Brought['preview']> {
    const kind = mediaKindOf(own.contentType);
    if (!kind || kind === 'model' || place.thumbnails.length === 0) return null;
    const bytes = await this.#storage.open(own.key);
    if (!bytes) throw new DomainError('not_found', 'the file is gone');
    await this.#folders.save(bytes, place.file, signal);
    return this.#preview(kind, place, null);
  }

  async #preview(
    kind: MediaKind,
    { file, thumbnails }: Workplace,
    original: string | null,
  ): Promise<Brought['preview']> {
    if (kind === 'model') return null;
    if (kind === 'video') return this.#videos.preview(file, thumbnails);
    return this.#derivatives.derive(file, { original, thumbnails });
  }

  async #storeThumbnails(media: Preparation, preview: Preview): Promise<PreparedMedia['thumbnails']> {
    const thumbnails = [];
    for (const { file, width, height } of preview.thumbnails) {
      const name = `thumbnail-${Math.max(width, height)}.webp`;
      const { key } = await this.#store(media, name, 'image/webp', file);
      thumbnails.push({ url: this.#storage.publicUrl(key), width, height });
    }
    return thumbnails;
  }

  async #store(media: Preparation, filename: string, contentType: string, file: string): Promise<StoredFile> {
    const { workspaceId, signal, stored } = media;
    signal.throwIfAborted();
    const saved = await this.#storeFile.run({
      workspaceId,
      personaId: null,
      origin: 'import',
      filename,
      contentType,
      file,
    });
    stored.push(saved);
    return saved;
  }

  /** What can't be announced is found by the sweep, an hour later. */
  async #giveBack(stored: readonly StoredFile[]): Promise<void> {
    if (stored.length === 0) return;
    const ids = stored.map(({ id }) => id);
    await this.#unitOfWork.run(() => scheduleFileDeletion(this.#jobs, ids)).catch(() => undefined);
  }
}

function unsupported(): DomainError {
  return new DomainError('unsupported_file_type', 'give a picture, an MP4 video, or a glTF or FBX model');
}
