import {
  nameOfSource,
  type FileRecords,
  type Files,
  type ObjectStorage,
  type StoredFile,
  type ServedFiles,
  type StoredUrls,
} from '#files';
import { DomainError, type UnitOfWork } from '#kernel';
import { isPictureType, isVectorType, nameOfPicture } from './domain/picture-type.ts';
import { SourceFailure } from './domain/source-failure.ts';
import type { PictureFacts, Pictures, RemoteSources, TemporaryFolders } from './ports.ts';

export interface Source {
  readonly workspaceId: number;
  readonly url: string;
  readonly signal?: AbortSignal;
}

/** A raster picture in a local file. */
export interface OpenedPicture extends PictureFacts {
  readonly file: string;
}

interface Collaborators {
  readonly files: Pick<Files, 'resolve' | 'store'>;
  readonly records: Pick<FileRecords, 'find'>;
  /** Decides who may read a stored file by its URL. */
  readonly served: Pick<ServedFiles, 'permissionOf'>;
  readonly storage: Pick<ObjectStorage, 'head' | 'open'>;
  readonly urls: StoredUrls;
  readonly remote: RemoteSources;
  readonly pictures: Pictures;
  readonly folders: TemporaryFolders;
  readonly unitOfWork: UnitOfWork;
  /** Maximum size of a fetched file, and of a stored picture that is opened. */
  readonly maxBytes: number;
}

/**
 * Copies the files at URLs to the local disk or into the storage. URLs of stored files are never fetched: they are
 * resolved to the workspace's files.
 */
export class Sources {
  #opened = 0;

  constructor(private readonly deps: Collaborators) {}

  /**
   * Resolves the URL of a stored file of the workspace, or fetches any other URL into `target`.
   *
   * @returns the stored file, without reading it; `null` when `target` was written
   * @throws SourceFailure; DomainError `not_found` or `file_expired` for a stored file that does not exist, and
   * `unavailable`; the signal's reason when it is aborted
   */
  async resolveOrFetch({ workspaceId, url, signal }: Source, target: string): Promise<StoredFile | null> {
    const own = await this.deps.unitOfWork.run(() => this.deps.files.resolve({ workspaceId, url }));
    if (!own) await this.#fetch(url, target, signal);
    return own;
  }

  /**
   * Copies a stored file to `target`.
   *
   * @throws DomainError `not_found` when its object is gone, `unavailable`; the signal's reason when it is aborted
   */
  async load({ key }: StoredFile, target: string, signal?: AbortSignal): Promise<void> {
    const bytes = await this.deps.storage.open(key);
    if (!bytes) throw new DomainError('not_found', 'the file is gone');
    await this.deps.folders.save(bytes, target, signal);
  }

  /**
   * Stores the picture at a URL. A stored file of the workspace is returned without a copy.
   *
   * @param picture.personaId the persona that a copy belongs to
   * @throws as `resolveOrFetch`
   */
  importPicture(picture: Source & { readonly personaId: number | null }): Promise<StoredFile> {
    const { workspaceId, personaId, signal } = picture;
    return this.deps.folders.use(async (folder) => {
      const file = `${folder}/picture`;
      const own = await this.resolveOrFetch(picture, file);
      if (own) {
        requirePicture(own);
        return own;
      }
      const { contentType } = await this.deps.pictures.examine(file);
      const names = { filename: nameOfPicture(contentType), name: nameOfSource(picture.url) };
      signal?.throwIfAborted();
      return this.deps.files.store({ workspaceId, personaId, origin: 'import', ...names, contentType, file });
    });
  }

  /**
   * Copies a picture to a new file in `folder`, without metadata except orientation and colour profile. A drawing is
   * rendered.
   *
   * @param picture.fileId the stored file that the URL belongs to; `null` for a foreign URL
   * @param edge if given, the picture is reduced to this longer side, as `Pictures.reduce` does
   * @throws SourceFailure; DomainError `unavailable`; the signal's reason when it is aborted
   */
  openPicture(
    picture: Source & { readonly fileId: number | null },
    folder: string,
    edge?: number,
  ): Promise<OpenedPicture> {
    return this.#open(folder, picture.signal, (target) => this.#copyPicture(picture, target), edge);
  }

  /** Writes an opened picture as a mask, as `Pictures.mask` does. */
  readMask(...args: Parameters<Pictures['mask']>): ReturnType<Pictures['mask']> {
    return this.deps.pictures.mask(...args);
  }

  /**
   * Copies a picture for an operator, who acts in no workspace, as `openPicture` does: of any stored file that is public,
   * of a foreign URL, or of a data URL in base64.
   *
   * @throws as `openPicture`
   */
  openForOperator(url: string, folder: string, signal: AbortSignal): Promise<OpenedPicture> {
    return this.#open(folder, signal, (target) => this.#copyForOperator(url, target, signal));
  }

  #open(
    folder: string,
    signal: AbortSignal | undefined,
    copy: (target: string) => Promise<void>,
    edge?: number,
  ): Promise<OpenedPicture> {
    const { pictures } = this.deps;
    const file = `${folder}/picture-${++this.#opened}`;
    return this.deps.folders.use(async (own) => {
      const source = `${own}/picture`;
      await copy(source);
      signal?.throwIfAborted();
      const facts = await pictures.examine(source, file);
      const opened = isVectorType(facts.contentType) ? await pictures.rasterise(source, file) : facts;
      if (edge === undefined) return { file, ...opened };
      const reduced = `${file}-reduced`;
      return { file: reduced, ...(await pictures.reduce(file, reduced, edge)) };
    });
  }

  async #copyPicture(
    { workspaceId, url, fileId, signal }: Source & { readonly fileId: number | null },
    target: string,
  ): Promise<void> {
    const stored = fileId === null ? null : await this.deps.records.find(fileId);
    if (stored?.workspaceId === workspaceId) {
      requirePicture(stored);
      if (stored.size > this.deps.maxBytes) throw new SourceFailure('url_too_large', { retryable: false });
      await this.load(stored, target, signal).catch((error: unknown) => {
        throw error instanceof DomainError && error.code === 'not_found' ? gone() : error;
      });
    } else {
      // The service never fetches its own URLs: a file without a record is deleted.
      if (fileId !== null || this.deps.urls.keyOf(url) !== null) throw gone();
      await this.#fetch(url, target, signal);
    }
  }

  async #copyForOperator(url: string, target: string, signal: AbortSignal): Promise<void> {
    const { folders, storage, served, urls, maxBytes } = this.deps;
    if (url.startsWith('data:')) {
      const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
      return folders.save(bytes, target, signal);
    }
    const key = urls.keyOf(url);
    if (key === null) return this.#fetch(url, target, signal);
    // An operator reads what anyone may who has the URL.
    const mayRead = await served.permissionOf(key, new URL(url).search.slice(1));
    const object = mayRead && (await storage.head(key));
    if (object && object.size > maxBytes) throw new SourceFailure('url_too_large', { retryable: false });
    const bytes = object && (await storage.open(key));
    if (!bytes) throw gone();
    await folders.save(bytes, target, signal);
  }

  async #fetch(url: string, target: string, signal?: AbortSignal): Promise<void> {
    await this.deps.remote.fetchToFile(url, target, { maxBytes: this.deps.maxBytes, signal });
  }
}

function requirePicture({ contentType }: StoredFile): void {
  if (!isPictureType(contentType)) throw new SourceFailure('not_an_image', { retryable: false });
}

function gone(): SourceFailure {
  return new SourceFailure('url_unreachable', { retryable: false });
}
