import { HEAD_BYTES, partsOfFileKey, type FileTypes, type StoredFile, type StoredUrls } from '#files';
import { DomainError } from '#kernel';
import {
  storeThumbnails,
  THUMBNAIL_EDGES,
  type DerivedFiles,
  type FilePreview,
  type Sources,
  type StoreFile,
  type TemporaryFolders,
} from '#sources';
import { mediaKindOf, nameOfMedia } from './domain/media-kind.ts';
import type { MediaContent, MediaSources } from './domain/media.ts';

interface Preparation {
  readonly workspaceId: number;
  readonly signal: AbortSignal;
  readonly store: StoreFile;
}

/** The working folder of a source, and its thumbnails. */
interface Workplace {
  readonly file: string;
  readonly edges: readonly number[];
}

interface PreparedSource {
  readonly file: StoredFile;
  /** `null` for files without a preview, such as 3D models. */
  readonly preview: FilePreview | null;
}

interface Collaborators {
  readonly sources: Pick<Sources, 'resolveOrFetch' | 'load'>;
  readonly derived: DerivedFiles;
  readonly urls: StoredUrls;
  readonly fileTypes: FileTypes;
  readonly folders: TemporaryFolders;
}

export interface PreparedMedia {
  readonly content: MediaContent;
  /** Every stored file that the content refers to. */
  readonly fileIds: readonly number[];
}

export class PrepareMedia {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Stores the sources, pictures upright and without their metadata, and makes thumbnails and a placeholder of the main
   * source (of the control image if there is no main source).
   *
   * @throws SourceFailure; DomainError `unsupported_file_type`, `not_found`, `file_expired`, `unavailable`; the
   * signal's reason when it is aborted. On errors it schedules the deletion of the files that it has stored
   */
  prepare(workspaceId: number, sources: MediaSources, signal: AbortSignal): Promise<PreparedMedia> {
    return this.deps.derived.together({ workspaceId, personaId: null, origin: 'import' }, signal, (store) =>
      this.deps.folders.use((folder) => this.#prepareIn(folder, { workspaceId, signal, store }, sources)),
    );
  }

  async #prepareIn(folder: string, media: Preparation, { url, controlImage }: MediaSources): Promise<PreparedMedia> {
    const main = url && (await this.#prepareSource(media, url, { file: `${folder}/main`, edges: THUMBNAIL_EDGES }));
    const edges = main ? [] : THUMBNAIL_EDGES;
    const control =
      controlImage && (await this.#prepareSource(media, controlImage, { file: `${folder}/control`, edges }));
    const shown = main || control || null;
    const preview = shown?.preview;
    const thumbnails = preview ? await storeThumbnails(media.store, 'thumbnail', preview.thumbnails) : [];
    const files = [main, control].flatMap((source) => (source ? [source.file] : []));
    return {
      content: {
        fileKey: main ? main.file.key : null,
        controlImageKey: control ? control.file.key : null,
        contentType: shown?.file.contentType ?? null,
        width: preview?.width ?? null,
        height: preview?.height ?? null,
        duration: preview?.duration ?? null,
        placeholder: preview?.placeholder ?? null,
        thumbnails: thumbnails.map(({ stored, ...size }) => ({ key: stored.key, ...size })),
      },
      fileIds: [...new Set([...files, ...thumbnails.map(({ stored }) => stored)].map(({ id }) => id))],
    };
  }

  async #prepareSource(
    { workspaceId, signal, store }: Preparation,
    source: string,
    place: Workplace,
  ): Promise<PreparedSource> {
    const { file, edges } = place;
    const url = partsOfFileKey(source) ? this.deps.urls.urlOf(source) : source;
    const own = await this.deps.sources.resolveOrFetch({ workspaceId, url, signal }, file);
    if (own) return { file: own, preview: await this.#previewOwn(own, place, signal) };

    const contentType = await this.deps.fileTypes.detect(await this.deps.folders.head(file, HEAD_BYTES));
    const kind = contentType && mediaKindOf(contentType);
    if (!kind) {
      throw new DomainError('unsupported_file_type', 'give a picture, an MP4 video, or a glTF or FBX model');
    }
    const original = kind === 'picture' ? `${file}-original` : null;
    const preview = await this.deps.derived.preview(file, contentType, { edges, original });
    return { file: await store(nameOfMedia(contentType), contentType, original ?? file), preview };
  }

  /** A file of the workspace stays unchanged; it is read only if it is the item's main source. */
  async #previewOwn(own: StoredFile, { file, edges }: Workplace, signal: AbortSignal): Promise<FilePreview | null> {
    const kind = mediaKindOf(own.contentType);
    if (!kind || kind === 'model' || edges.length === 0) return null;
    await this.deps.sources.load(own, file, signal);
    return this.deps.derived.preview(file, own.contentType, { edges });
  }
}
