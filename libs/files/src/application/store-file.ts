import type { Clock } from '#kernel';
import { fileNameOf, permanentNameOf } from '../domain/file-name.ts';
import { servingHeaders } from '../domain/object-headers.ts';
import { fileKey } from '../domain/object-key.ts';
import type { FileOrigin, NewFile, StoredFile } from '../domain/stored-file.ts';
import type { Files } from '../ports/files.ts';
import type { ObjectBody, ObjectStorage } from '../ports/object-storage.ts';
import type { RandomTokens } from '../ports/random-tokens.ts';

export type FileToStore = ObjectBody & {
  readonly workspaceId: number;
  /** The persona that the file lives with. */
  readonly personaId: number | null;
  readonly origin: Exclude<FileOrigin, 'upload'>;
  readonly filename: string;
  /** Of a supported type, as found in the bytes. */
  readonly contentType: string;
};

/** Publishes bytes of the service's own and records them as a permanent file. */
export class StoreFile {
  readonly #files: Files;
  readonly #storage: ObjectStorage;
  readonly #tokens: RandomTokens;
  readonly #clock: Clock;

  constructor(files: Files, storage: ObjectStorage, tokens: RandomTokens, clock: Clock) {
    this.#files = files;
    this.#storage = storage;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /**
   * Inside a unit of work the record is part of it; outside it stands at once. Either way a file that nothing
   * refers to an hour later is deleted.
   *
   * @throws DomainError `validation_failed`, `unsupported_file_type`, `unavailable`
   */
  async run(request: FileToStore): Promise<StoredFile> {
    const { workspaceId, personaId, origin, contentType } = request;
    const now = this.#clock.now();
    const filename = permanentNameOf(fileNameOf(request.filename).text);
    const key = fileKey(this.#tokens.next(), filename);
    const permanent = { contentType, createdAt: now, expiresAt: null };

    await this.#files.reserve(key, now);
    const { size } = await this.#storage.put(key, bodyOf(request), servingHeaders(permanent));
    const file: NewFile = { workspaceId, personaId, origin, key, filename, size, ...permanent };
    return this.#files.add(file);
  }
}

function bodyOf(request: ObjectBody): ObjectBody {
  return 'file' in request ? { file: request.file } : { bytes: request.bytes };
}
