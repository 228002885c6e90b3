import { HEAD_BYTES, nameOfSource, partsOfFileKey, type FileTypes, type StoredFile, type StoredUrls } from '#files';
import { DomainError } from '#kernel';
import { type DerivedFiles, type PictureLooks, type Sources, type StoreFile, type TemporaryFolders } from '#sources';
import { mediaKindOf, nameOfMedia } from './domain/media-kind.ts';
import { needsLook, type MediaFiles, type MediaSources } from './domain/media.ts';

interface Preparation {
  readonly workspaceId: number;
  readonly signal: AbortSignal;
  readonly store: StoreFile;
}

interface Collaborators {
  readonly sources: Pick<Sources, 'resolveOrFetch'>;
  readonly derived: DerivedFiles;
  readonly looks: Pick<PictureLooks, 'look'>;
  readonly urls: StoredUrls;
  readonly fileTypes: FileTypes;
  readonly folders: TemporaryFolders;
}

export interface PreparedMedia {
  readonly files: MediaFiles;
  readonly fileIds: readonly number[];
}

export class PrepareMedia {
  constructor(private readonly deps: Collaborators) {}

  /**
   * Stores the sources, pictures upright and without their metadata, and has what the item shows looked at: the main
   * source, or the control image if there is no main source.
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
    const main = url && (await this.#prepareSource(media, url, `${folder}/main`, true));
    const control = controlImage && (await this.#prepareSource(media, controlImage, `${folder}/control`, !main));
    const files = [main, control].flatMap((file) => (file ? [file.id] : []));
    return {
      files: { fileKey: main ? main.key : null, controlImageKey: control ? control.key : null },
      fileIds: [...new Set(files)],
    };
  }

  /** @param file where the source is copied to */
  async #prepareSource(
    { workspaceId, signal, store }: Preparation,
    source: string,
    file: string,
    isShown: boolean,
  ): Promise<StoredFile> {
    const url = partsOfFileKey(source) ? this.deps.urls.plainUrlOf(source) : source;
    const own = await this.deps.sources.resolveOrFetch({ workspaceId, url, signal }, file);
    if (own) {
      if (isShown && needsLook(own)) await this.deps.looks.look(own, signal);
      return own;
    }
    const contentType = await this.deps.fileTypes.detect(await this.deps.folders.head(file, HEAD_BYTES));
    const kind = contentType && mediaKindOf(contentType);
    if (!kind) {
      throw new DomainError('unsupported_file_type', 'give a picture, an MP4 video, or a glTF or FBX model');
    }
    const original = kind === 'picture' ? `${file}-original` : null;
    const preview = await this.deps.derived.preview(file, contentType, { original });
    const filename = nameOfMedia(contentType);
    return store({ filename, name: nameOfSource(url), contentType, file: original ?? file, preview });
  }
}
