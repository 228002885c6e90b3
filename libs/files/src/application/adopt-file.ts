import { notFound, type Clock } from '#kernel';
import { permanentNameOf } from '../domain/file-name.ts';
import { servingHeaders } from '../domain/object-headers.ts';
import { fileKey, partsOfFileKey } from '../domain/object-key.ts';
import { isExpired, type NewFile, type StoredFile } from '../domain/stored-file.ts';
import type { Files } from '../ports/files.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import type { RandomTokens } from '../ports/random-tokens.ts';
import type { Uploads } from '../ports/uploads.ts';
import { fileExpired } from './file-expired.ts';

/** Finds the file that a URL names, so that something can refer to it for good. */
export class AdoptFile {
  readonly #files: Files;
  readonly #uploads: Uploads;
  readonly #storage: ObjectStorage;
  readonly #tokens: RandomTokens;
  readonly #clock: Clock;

  constructor(files: Files, uploads: Uploads, storage: ObjectStorage, tokens: RandomTokens, clock: Clock) {
    this.#files = files;
    this.#uploads = uploads;
    this.#storage = storage;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /**
   * To be called in the unit of work that saves the reference: until its end, the file can't be reclaimed. For a
   * temporary file the answer is a permanent copy of it.
   *
   * @returns `null` when the URL is none of this service's files'
   * @throws DomainError `not_found` when it is, but no such file is in the workspace; `file_expired`
   */
  async run(request: { readonly workspaceId: number; readonly url: string }): Promise<StoredFile | null> {
    const key = this.#storage.keyOf(request.url);
    if (key === null) return null;
    const file = await this.#files.holdByKey(request.workspaceId, key);
    if (!file) {
      throw (await this.#wasTemporary(request.workspaceId, key)) ? fileExpired() : notFound('file');
    }
    if (file.expiresAt === null) return file;
    if (isExpired(file, this.#clock.now())) throw fileExpired();
    return this.#copy(file);
  }

  async #wasTemporary(workspaceId: number, key: string): Promise<boolean> {
    const place = partsOfFileKey(key);
    const upload = place && (await this.#uploads.find(workspaceId, place.token));
    return upload?.state === 'expired' && upload.filename === place?.filename;
  }

  async #copy(temporary: StoredFile): Promise<StoredFile> {
    const { workspaceId, size, contentType } = temporary;
    const now = this.#clock.now();
    const filename = permanentNameOf(temporary.filename);
    const key = fileKey(this.#tokens.next(), filename);
    const permanent = { contentType, createdAt: now, expiresAt: null };
    const copy: NewFile = {
      workspaceId,
      personaId: null,
      origin: 'import',
      key,
      filename,
      size,
      ...permanent,
    };

    await this.#files.reserve(key, now);
    const object = await this.#storage.copy(temporary.key, key, { headers: servingHeaders(permanent) });
    if (!object) throw fileExpired();
    return this.#files.add(copy);
  }
}
