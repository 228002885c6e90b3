import { DomainError, notFound, type Clock, type CustomData } from '#kernel';
import { ALL_TYPES, fileNameOf, isPrivateType, permanentNameOf } from './domain/file-name.ts';
import { servingHeaders } from './domain/object-headers.ts';
import { fileKey, partsOfFileKey, placeOf, privateKey } from './domain/object-key.ts';
import type { SeenPicture } from './domain/picture.ts';
import type { Marking } from './domain/provenance.ts';
import { isExpired, type FileOrigin, type NewFile, type StoredFile } from './domain/stored-file.ts';
import type { StoredUrls } from './domain/stored-urls.ts';
import type { FileRecords, ObjectBody, ObjectInfo, ObjectStorage, StorageSpace, UploadRecords } from './ports.ts';

export type FileToStore = ObjectBody & {
  readonly workspaceId: number;
  /** The persona that the file belongs to. */
  readonly personaId: number | null;
  readonly origin: Exclude<FileOrigin, 'upload'>;
  readonly filename: string;
  /** Default: `filename`. */
  readonly name?: string;
  /** A supported type, as detected from the bytes. */
  readonly contentType: string;
  /** The result of a look at the bytes. Absent: a worker looks at them. */
  readonly seen?: SeenPicture;
  /** Default: `null`. */
  readonly marking?: Marking | null;
} & Partial<CustomData>;

/** Permanent files that the service stores or refers to. */
export class Files {
  constructor(
    private readonly records: Pick<FileRecords, 'reserve' | 'add' | 'lockByKey'>,
    private readonly uploads: Pick<UploadRecords, 'find'>,
    private readonly storage: ObjectStorage,
    private readonly urls: StoredUrls,
    private readonly clock: Clock,
    private readonly space: Pick<StorageSpace, 'requireSome'>,
  ) {}

  /**
   * Stores bytes, privately if their type or the workspace is private, and adds them as a permanent file. Inside a unit of
   * work the record is part of it. A file that is unreferenced an hour later is deleted.
   *
   * @throws DomainError `validation_failed`, `unsupported_file_type`, `unavailable`; `quota_exceeded` unless the file
   * is an output
   */
  async store(request: FileToStore): Promise<StoredFile> {
    const { workspaceId, personaId, origin, contentType, customer, metadata } = request;
    const filename = permanentNameOf(fileNameOf(request.filename, ALL_TYPES).text);
    const body = 'file' in request ? { file: request.file } : { bytes: request.bytes };
    const { name = filename, seen = null, marking = null } = request;
    const file = { workspaceId, personaId, origin, filename, name, contentType, customer, metadata, seen, marking };
    return this.#publish(file, (place, headers) => this.storage.put(place, body, headers));
  }

  /**
   * Resolves a stored URL to its file. Call it in the unit of work that saves the reference: until that unit
   * ends, the file can't be deleted. A temporary file is copied, and the permanent copy is returned.
   *
   * @returns `null` when the URL is not a stored URL
   * @throws DomainError `not_found` for a stored URL without a file of the workspace; `file_expired`;
   * `quota_exceeded` for a temporary file
   */
  async resolve(request: { readonly workspaceId: number; readonly url: string }): Promise<StoredFile | null> {
    const key = this.urls.keyOf(request.url);
    if (key === null) return null;
    const file = await this.records.lockByKey(request.workspaceId, key);
    if (!file) {
      throw (await this.#wasTemporary(request.workspaceId, key)) ? fileExpired() : notFound('file');
    }
    if (file.expiresAt === null) return file;
    if (isExpired(file, this.clock.now())) throw fileExpired();
    return this.#copy(file);
  }

  /**
   * The bytes of a stored file; `null` when they are missing or exceed `maxBytes`.
   *
   * @throws DomainError `unavailable`
   */
  async read(key: string, maxBytes: number): Promise<Buffer | null> {
    const info = await this.storage.head(key);
    if (!info || info.size > maxBytes) return null;
    const chunks: Buffer[] = [];
    for await (const chunk of (await this.storage.open(key)) ?? []) chunks.push(chunk as Buffer);
    return chunks.length > 0 ? Buffer.concat(chunks) : null;
  }

  async #wasTemporary(workspaceId: number, key: string): Promise<boolean> {
    const place = partsOfFileKey(key);
    const upload = place && (await this.uploads.find(workspaceId, place.token));
    return upload?.state === 'expired' && upload.filename === place?.filename;
  }

  #copy({ key: source, workspaceId, contentType, name, marking, ...original }: StoredFile): Promise<StoredFile> {
    const filename = permanentNameOf(original.filename);
    const facts = { filename, name, contentType, marking, seen: null };
    const file = { workspaceId, personaId: null, origin: 'import', ...facts } as const;
    return this.#publish(file, async (place, headers) => {
      const copy = await this.storage.copy(source, place, { headers });
      if (!copy) throw fileExpired();
      return copy;
    });
  }

  /** @param write stores the bytes at the place of the reserved key */
  async #publish(
    file: Omit<NewFile, 'key' | 'size' | 'isPrivate' | 'createdAt' | 'expiresAt'>,
    write: (place: string, headers: ReturnType<typeof servingHeaders>) => Promise<ObjectInfo>,
  ): Promise<StoredFile> {
    if (file.origin !== 'output') await this.space.requireSome(file.workspaceId);
    const createdAt = this.clock.now();
    const keyOf = isPrivateType(file.contentType) ? privateKey : fileKey;
    const key = keyOf(newToken(), file.filename);
    const isPrivate = await this.records.reserve(key, file.workspaceId, createdAt);
    const { size } = await write(placeOf({ key, isPrivate }), servingHeaders({ ...file, expiresAt: null }));
    return this.records.add({ ...file, key, isPrivate, size, createdAt, expiresAt: null });
  }
}

export function fileExpired(): DomainError {
  return new DomainError('file_expired', 'the file was temporary and has expired; upload it again');
}

/** A token of 144 random bits, of `A-Z`, `a-z`, `0-9`, `-` and `_`. */
export function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(18))).toString('base64url');
}
