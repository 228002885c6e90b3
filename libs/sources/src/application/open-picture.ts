import type { Files, ObjectStorage } from '#files';
import type { PictureLimits } from '../domain/picture-limits.ts';
import { isPictureType, isVectorType } from '../domain/picture-type.ts';
import { SourceFailure } from '../domain/source-failure.ts';
import type { PictureFacts, Pictures } from '../ports/pictures.ts';
import type { RemoteSources } from '../ports/remote-sources.ts';
import type { TemporaryFolders } from '../ports/temporary-folders.ts';

export interface PictureToOpen {
  readonly workspaceId: number;
  readonly url: string;
  /** The workspace's file that the URL stands for; `null` when it stands for none. */
  readonly fileId: number | null;
  readonly signal?: AbortSignal;
}

/** A picture with pixels, in a file of this machine. */
export interface OpenedPicture extends PictureFacts {
  readonly file: string;
}

/** Brings a picture to where it can be worked with. */
export class OpenPicture {
  readonly #files: Pick<Files, 'find'>;
  readonly #storage: Pick<ObjectStorage, 'open' | 'keyOf'>;
  readonly #sources: RemoteSources;
  readonly #pictures: Pictures;
  readonly #folders: Pick<TemporaryFolders, 'save'>;
  readonly #limits: PictureLimits;
  #opened = 0;

  constructor(
    files: Pick<Files, 'find'>,
    storage: Pick<ObjectStorage, 'open' | 'keyOf'>,
    sources: RemoteSources,
    pictures: Pictures,
    folders: Pick<TemporaryFolders, 'save'>,
    limits: PictureLimits,
  ) {
    this.#files = files;
    this.#storage = storage;
    this.#sources = sources;
    this.#pictures = pictures;
    this.#folders = folders;
    this.#limits = limits;
  }

  /**
   * Puts the picture into a new file in `folder`; a drawing comes as a picture of it.
   *
   * @throws SourceFailure; DomainError `unavailable`; the signal's reason when it is aborted
   */
  async run(picture: PictureToOpen, folder: string): Promise<OpenedPicture> {
    const file = `${folder}/picture-${++this.#opened}`;
    await this.#bring(picture, file);
    picture.signal?.throwIfAborted();
    const facts = await this.#pictures.examine(file);
    if (!isVectorType(facts.contentType)) return { file, ...facts };
    const drawn = `${file}-drawn`;
    return { file: drawn, ...(await this.#pictures.rasterise(file, drawn)) };
  }

  async #bring({ workspaceId, url, fileId, signal }: PictureToOpen, target: string): Promise<void> {
    if (fileId !== null) return this.#copyStored(workspaceId, fileId, target, signal);
    // A file of the service's own is never fetched; one without a record is gone.
    if (this.#storage.keyOf(url) !== null) throw gone();
    await this.#sources.fetchToFile(url, target, { maxBytes: this.#limits.maxBytes, signal });
  }

  async #copyStored(
    workspaceId: number,
    fileId: number,
    target: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const stored = await this.#files.find(fileId);
    if (stored?.workspaceId !== workspaceId) throw gone();
    if (!isPictureType(stored.contentType)) throw new SourceFailure('not_an_image', { retryable: false });
    if (stored.size > this.#limits.maxBytes) throw new SourceFailure('url_too_large', { retryable: false });
    const bytes = await this.#storage.open(stored.key);
    if (!bytes) throw gone();
    await this.#folders.save(bytes, target, signal);
  }
}

function gone(): SourceFailure {
  return new SourceFailure('url_unreachable', { retryable: false });
}
