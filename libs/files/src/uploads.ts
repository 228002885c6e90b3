import type { EventLog, NewEvent } from '#events';
import { customDataFor, type Actor } from '#identity';
import {
  DomainError,
  invalidField,
  NO_CUSTOM_DATA,
  notFound,
  type Clock,
  type CustomData,
  type ErrorCode,
  type UnitOfWork,
} from '#kernel';
import { STORED_TYPES, fileNameOf, type FileName } from './domain/file-name.ts';
import { servingHeaders } from './domain/object-headers.ts';
import { frozenKey, partsOfFileKey, placeOf, stagingKey } from './domain/object-key.ts';
import { isExpired, type StoredFile } from './domain/stored-file.ts';
import type { Marking } from './domain/provenance.ts';
import type { StoredUrls } from './domain/stored-urls.ts';
import {
  allocate,
  fileKeyOf,
  finalize,
  freeze,
  leftoversOf,
  type AllocatedUpload,
  type FinalizedUpload,
  type FrozenUpload,
  type NewUpload,
  type Upload,
} from './domain/upload.ts';
import {
  losesMetadata,
  refusalOfParts,
  refusalOfSize,
  refusalOfType,
  type UploadRules,
} from './domain/upload-policy.ts';
import { fileExpired, newToken } from './files.ts';
import {
  HEAD_BYTES,
  type BarePictures,
  type DefaultPersonas,
  type FileTypes,
  type MultipartUpload,
  type ObjectInfo,
  type ObjectStorage,
  type StorageSpace,
  type UploadRecords,
  type WorkspaceFileRecords,
} from './ports.ts';

/** The URLs and headers by which a client sends a file. */
export interface UploadTicket extends CustomData {
  readonly uploadId: number;
  /** Accepts a PUT of the bytes; a later PUT replaces them until the upload is finalized. `null` with parts. */
  readonly signedUrl: string | null;
  /** PUT URLs of the parts, in order; `null` if the bytes are sent as a whole. */
  readonly partUrls: readonly string[] | null;
  /** Key of the file once it is finalized. */
  readonly key: string;
  /** When the signed URLs expire. */
  readonly expiresAt: Date;
  /** Headers that the PUT should send. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface UploadRequest extends Partial<CustomData> {
  readonly filename: string;
  /** Without it, the file is added to the caller's first persona, which is created if there is none. */
  readonly personaId?: number | null;
  /** Number of parts, 1 to 10,000; without it, the bytes are sent as a whole. */
  readonly parts?: number | null;
}

const TEN_YEARS_SECONDS = 315_360_000;
/** Maximum number of parts per call, over all files: each needs a signed URL. */
const MAX_PARTS_TOGETHER = 10_000;
/** Maximum attempts of concurrent calls to agree; reached only if the bytes are replaced all the time. */
const MAX_ROUNDS = 10;

/** Error codes for bytes that can never become the file. */
const REFUSALS: readonly ErrorCode[] = ['file_type_mismatch', 'too_large'];

type NamedRequest = UploadRequest & { readonly name: FileName };

/** Where the bytes of an upload are sent. */
interface Place {
  readonly token: string;
  readonly multipart: MultipartUpload | null;
}

/** Files that clients send: a signed URL is allocated, the client PUTs the bytes, and finalizing makes them a file. */
export class Uploads {
  constructor(
    private readonly deps: {
      readonly records: UploadRecords;
      readonly storage: ObjectStorage;
      readonly urls: StoredUrls;
      readonly fileTypes: FileTypes;
      readonly pictures: BarePictures;
      readonly rules: UploadRules;
      readonly personas: DefaultPersonas;
      readonly workspaces: Pick<WorkspaceFileRecords, 'find'>;
      readonly space: Pick<StorageSpace, 'requireSome'>;
      readonly events: EventLog;
      readonly unitOfWork: UnitOfWork;
      readonly clock: Clock;
    },
  ) {}

  /** @throws DomainError `validation_failed`, `forbidden`, `unsupported_file_type`, `not_found`, `no_persona`, `quota_exceeded`, `unavailable` */
  async allocate(actor: Actor, request: UploadRequest): Promise<UploadTicket> {
    const tickets = await this.#allocate(actor, [{ ...request, name: fileNameOf(request.filename) }]);
    if ('missing' in tickets) throw personaMissing(request);
    return tickets[0]!;
  }

  /**
   * Allocates several at once, all or none.
   *
   * @returns tickets in the order of the requests
   * @throws DomainError as `allocate`, with the index of the first refused file
   */
  async allocateAll(actor: Actor, requests: readonly UploadRequest[]): Promise<readonly UploadTicket[]> {
    const named = requests.map((request, index) => {
      try {
        return { ...request, name: fileNameOf(request.filename) };
      } catch (error) {
        throw ofFile(index, error);
      }
    });
    if (requests.reduce((sum, { parts }) => sum + (parts ?? 1), 0) > MAX_PARTS_TOGETHER) {
      throw invalidField('files', `must have at most ${MAX_PARTS_TOGETHER} parts together`);
    }
    const tickets = await this.#allocate(actor, named);
    if (!('missing' in tickets)) return tickets;
    const [index] = tickets.missing;
    throw ofFile(index!, personaMissing(requests[index!]!));
  }

  /**
   * Stores the bytes of an allocated upload, as a PUT to its signed URL does.
   *
   * @param url the URL of the ticket's `key`
   * @throws DomainError `not_found`
   */
  async put(actor: Actor, url: string, bytes: Buffer): Promise<void> {
    const token = partsOfFileKey(this.deps.urls.keyOf(url) ?? '')?.token;
    const upload = token === undefined ? null : await this.deps.records.find(actor.workspaceId, token);
    if (!upload) throw notFound('upload');
    if (upload.state !== 'allocated') return;
    const contentType = STORED_TYPES[fileNameOf(upload.filename).extension];
    await this.deps.storage.put(stagingKey(upload.token), { bytes }, { contentType });
  }

  async #allocate(actor: Actor, requests: readonly NamedRequest[]) {
    const { storage, rules, space, clock } = this.deps;
    const { userId, workspaceId } = actor;
    const customData = requests.map((request) => customDataFor(actor, { ...NO_CUSTOM_DATA, ...request }));
    const now = clock.now();
    await space.requireSome(workspaceId);
    const places = await this.#begin(requests);
    const asked = places.map(({ token, multipart }, index) => {
      const { name, personaId = null } = requests[index]!;
      const parts = multipart && { id: multipart.id, count: multipart.count };
      const place = { workspaceId, userId, personaId, token, filename: name.text, parts };
      return allocate({ ...place, ...customData[index]! }, rules, now);
    });
    const uploads = await this.#record(actor, asked);
    if ('missing' in uploads) {
      await this.#abandon(places);
      return uploads;
    }
    return Promise.all(
      uploads.map(async (upload, index): Promise<UploadTicket> => {
        const { token, multipart } = places[index]!;
        const limits = { expiresAt: upload.expiresAt, maxBytes: rules.maxBytes };
        return {
          uploadId: upload.id,
          customer: upload.customer,
          metadata: upload.metadata,
          key: fileKeyOf(upload),
          expiresAt: upload.expiresAt,
          signedUrl: multipart ? null : await storage.signPut(stagingKey(token), limits),
          partUrls: multipart && (await storage.parts.sign(multipart, limits)),
          headers: {
            'Content-Type': STORED_TYPES[requests[index]!.name.extension],
            'Cache-Control': `max-age=${TEN_YEARS_SECONDS}`,
            Expires: new Date(now.getTime() + TEN_YEARS_SECONDS * 1000).toUTCString(),
          },
        };
      }),
    );
  }

  /** The destinations of the uploads' bytes; begins multipart uploads in the storage. */
  async #begin(requests: readonly UploadRequest[]): Promise<readonly Place[]> {
    const begun = await Promise.allSettled(
      requests.map(async ({ parts }): Promise<Place> => {
        const token = newToken();
        return { token, multipart: parts ? await this.deps.storage.parts.begin(stagingKey(token), parts) : null };
      }),
    );
    const failed = begun.find((each) => each.status === 'rejected');
    const places = begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (!failed) return places;
    await this.#abandon(places);
    throw failed.reason;
  }

  async #abandon(places: readonly Place[]): Promise<void> {
    const begun = places.flatMap(({ multipart }) => multipart ?? []);
    await Promise.all(begun.map((multipart) => this.deps.storage.parts.abandon(multipart)));
  }

  /** Adds the uploads; creates a persona first if the caller has none. */
  #record({ userId, workspaceId }: Actor, asked: readonly NewUpload[]) {
    const { records, personas, unitOfWork } = this.deps;
    return unitOfWork.run(async () => {
      const added = await records.allocate(asked);
      if (!('missing' in added) || added.missing.every((index) => asked[index]!.personaId !== null)) return added;
      await personas.createDefault({ workspaceId, userId });
      return records.allocate(asked);
    });
  }

  /**
   * Makes uploaded bytes a file. Clients can PUT to a signed URL again at any time, so the bytes are first copied to
   * a key that no URL can write; that copy is checked, loses its metadata if so configured, is recorded as the
   * chosen one, and published. Concurrent calls agree on the copy that was recorded first; a call after a crash
   * continues from the recorded state.
   *
   * @param url the URL of the ticket's `key`
   * @throws DomainError `not_found`, `not_uploaded`, `too_large`, `file_type_mismatch`, `file_expired`,
   * `conflict`; `quota_exceeded`, after which it may be called again
   */
  async finalize(actor: Actor, url: string): Promise<StoredFile> {
    const place = partsOfFileKey(this.deps.urls.keyOf(url) ?? '');
    if (!place) throw notFound('upload');
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const upload = await this.deps.records.find(actor.workspaceId, place.token);
      if (upload?.filename !== place.filename) throw notFound('upload');
      const finalized = await this.#advance(upload);
      if (!finalized) continue;
      if (isExpired(finalized.file, this.deps.clock.now())) throw fileExpired();
      return finalized.file;
    }
    throw new DomainError('conflict', 'the bytes are being replaced all the time; stop, and try again');
  }

  /** `null` when another call changed the upload: then read its record again. */
  async #advance(upload: Upload): Promise<FinalizedUpload | null> {
    switch (upload.state) {
      case 'allocated': {
        const frozen = await this.#freeze(upload);
        return frozen && this.#publish(frozen);
      }
      case 'frozen':
        return this.#publish(upload);
      case 'finalized':
        return upload;
      case 'expired':
        throw fileExpired();
    }
  }

  async #freeze(upload: AllocatedUpload): Promise<FrozenUpload | null> {
    const { records, storage, workspaces, rules, unitOfWork, clock } = this.deps;
    const staging = stagingKey(upload.token);
    const uploaded = (await storage.head(staging)) ?? (await this.#join(upload));
    if (!uploaded) return null;
    const refusal = refusalOfSize(uploaded.size, upload.filename, rules);
    if (refusal) {
      await storage.delete([staging]);
      throw refusal;
    }
    const key = frozenKey(upload.token, newToken());
    const copy = await storage.copy(staging, key, { ifMatch: uploaded.etag });
    if (!copy) return null;
    const chosen = await this.#check(copy, upload.filename).catch(async (error: unknown) => {
      const isRefused = error instanceof DomainError && REFUSALS.includes(error.code);
      // The sweep deletes leftover objects.
      await storage.delete(isRefused ? [key, staging] : [key]).catch(() => undefined);
      throw error;
    });
    try {
      const { filesArePrivate } = await workspaces.find(upload.workspaceId);
      const frozen = freeze(upload, { ...chosen, isPrivate: filesArePrivate }, clock.now());
      if (await unitOfWork.run(() => records.freeze(frozen))) return frozen;
    } catch (error) {
      await storage.delete([key]).catch(() => undefined);
      throw error;
    }
    await storage.delete([key]);
    return null;
  }

  /**
   * Assembles the bytes from the parts that were sent; `null` when another call changed the upload.
   *
   * @throws DomainError `not_uploaded`, `too_large`
   */
  async #join(upload: AllocatedUpload): Promise<ObjectInfo | null> {
    const { storage, rules } = this.deps;
    const { token, parts } = upload;
    if (!parts) {
      if (!(await this.#isStillAllocated(upload))) return null;
      throw new DomainError('not_uploaded', 'PUT the bytes to the signed URL first');
    }
    const multipart = { key: stagingKey(token), ...parts };
    const sent = await storage.parts.list(multipart);
    const refusal = refusalOfParts(sent, parts.count, rules);
    if (!refusal) return storage.parts.join(multipart, sent);
    // A concurrent call may have joined the parts, or finalized the upload, since it was read.
    if (await storage.head(multipart.key)) return null;
    if (!(await this.#isStillAllocated(upload))) return null;
    if (refusal.code === 'too_large') await storage.parts.abandon(multipart);
    throw refusal;
  }

  async #isStillAllocated(upload: AllocatedUpload): Promise<boolean> {
    const current = await this.deps.records.find(upload.workspaceId, upload.token);
    return current?.state === 'allocated';
  }

  /**
   * @returns the bytes to publish, under the same key, and what became of their mark
   * @throws DomainError `file_type_mismatch`, `too_large`
   */
  async #check(copy: ObjectInfo, filename: string): Promise<ObjectInfo & { readonly marking?: Marking | null }> {
    const refusal = refusalOfType(await this.#detectType(copy), filename);
    if (refusal) throw refusal;
    const { storage, pictures, rules } = this.deps;
    if (!losesMetadata(filename, rules)) return copy;
    const contentType = STORED_TYPES[fileNameOf(filename).extension];
    const open = async () => {
      const bytes = await storage.open(copy.key);
      if (bytes) return bytes;
      throw new DomainError('conflict', 'the bytes took too long to check: try again');
    };
    return pictures.use(open, contentType, async (bare, marking) => {
      return { ...(await storage.put(copy.key, bare, { contentType })), marking };
    });
  }

  async #detectType({ key, size }: ObjectInfo): Promise<string | null> {
    const head = size > 0 && (await this.deps.storage.open(key, { start: 0, end: HEAD_BYTES - 1 }));
    return head ? this.deps.fileTypes.detect(Buffer.concat((await head.toArray()) as Buffer[])) : null;
  }

  async #publish(frozen: FrozenUpload): Promise<FinalizedUpload | null> {
    const { records, storage, rules, unitOfWork, clock } = this.deps;
    const finalization = finalize(frozen, rules, clock.now());
    const { file } = finalization;
    if (!(await storage.copy(frozen.frozenKey, placeOf(file), { headers: servingHeaders(file) }))) {
      // The sweep has deleted the copy, or another call has finished with it.
      await records.thaw(frozen);
      return null;
    }
    try {
      const finalized = await unitOfWork.run(async () => {
        const saved = await records.finalize(finalization);
        if (saved) await this.deps.events.record(savedEvent(saved));
        return saved;
      });
      // Best effort, as the upload is saved: the sweep deletes leftover objects.
      if (finalized) await storage.delete([stagingKey(frozen.token), frozen.frozenKey]).catch(() => undefined);
      else await this.#forgetDropped(frozen);
      return finalized;
    } catch (error) {
      // Such as for a caller who was erased meanwhile.
      await this.#forgetDropped(frozen).catch(() => undefined);
      throw error;
    }
  }

  /** Deletes what was published for an upload whose record is gone. */
  async #forgetDropped(frozen: FrozenUpload): Promise<void> {
    const { records, storage } = this.deps;
    if (await records.find(frozen.workspaceId, frozen.token)) return;
    await storage.delete(leftoversOf(frozen));
  }
}

function savedEvent({ workspaceId, id, file, customer }: FinalizedUpload): NewEvent {
  const facts = { file_id: file.id };
  return { workspaceId, type: 'upload.saved', subjectId: id, customer, facts, createdAt: file.createdAt };
}

function personaMissing({ personaId }: UploadRequest): DomainError {
  if (typeof personaId === 'number') return notFound('persona');
  return new DomainError('no_persona', 'your persona was deleted meanwhile: send the request again');
}

/** The error of one of several files, by its index. */
function ofFile(index: number, error: unknown): unknown {
  if (!(error instanceof DomainError)) return error;
  const { code, message, fields = {}, cause } = error;
  const named = Object.entries(fields).map(([name, problems]) => [`files[${index}].${name}`, problems] as const);
  const options = named.length > 0 ? { fields: Object.fromEntries(named), cause } : { cause };
  return new DomainError(code, `files[${index}]: ${message}`, options);
}
