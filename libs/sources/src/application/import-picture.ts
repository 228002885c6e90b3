import type { UnitOfWork } from '#kernel';
import type { AdoptFile, StoredFile, StoreFile } from '#files';
import type { PictureLimits } from '../domain/picture-limits.ts';
import { isPictureType, nameOfPicture } from '../domain/picture-type.ts';
import { SourceFailure } from '../domain/source-failure.ts';
import type { Pictures } from '../ports/pictures.ts';
import type { RemoteSources } from '../ports/remote-sources.ts';
import type { TemporaryFolders } from '../ports/temporary-folders.ts';

export interface PictureToImport {
  readonly workspaceId: number;
  /** The persona that a copy lives with. */
  readonly personaId: number | null;
  readonly url: string;
  readonly signal?: AbortSignal;
}

/** Makes the picture that a URL leads to a file of the workspace. */
export class ImportPicture {
  readonly #adoptFile: Pick<AdoptFile, 'run'>;
  readonly #storeFile: Pick<StoreFile, 'run'>;
  readonly #sources: RemoteSources;
  readonly #pictures: Pictures;
  readonly #folders: TemporaryFolders;
  readonly #unitOfWork: UnitOfWork;
  readonly #limits: PictureLimits;

  constructor(
    adoptFile: Pick<AdoptFile, 'run'>,
    storeFile: Pick<StoreFile, 'run'>,
    sources: RemoteSources,
    pictures: Pictures,
    folders: TemporaryFolders,
    unitOfWork: UnitOfWork,
    limits: PictureLimits,
  ) {
    this.#adoptFile = adoptFile;
    this.#storeFile = storeFile;
    this.#sources = sources;
    this.#pictures = pictures;
    this.#folders = folders;
    this.#unitOfWork = unitOfWork;
    this.#limits = limits;
  }

  /**
   * A file of the workspace itself is taken as it is, anything else is copied. Doing it again makes another copy; one
   * that nothing refers to is deleted in time.
   *
   * @throws SourceFailure; DomainError `not_found` or `file_expired` for a file of the service that is not there (any
   * more), and `unavailable`; the signal's reason when it is aborted
   */
  async run({ workspaceId, personaId, url, signal }: PictureToImport): Promise<StoredFile> {
    const own = await this.#unitOfWork.run(() => this.#adoptFile.run({ workspaceId, url }));
    if (own) {
      if (!isPictureType(own.contentType)) throw new SourceFailure('not_an_image', { retryable: false });
      return own;
    }
    return this.#folders.use(async (folder) => {
      const file = `${folder}/picture`;
      await this.#sources.fetchToFile(url, file, { maxBytes: this.#limits.maxBytes, signal });
      const { contentType } = await this.#pictures.examine(file);
      signal?.throwIfAborted();
      const filename = nameOfPicture(contentType);
      return this.#storeFile.run({ workspaceId, personaId, origin: 'import', filename, file, contentType });
    });
  }
}
