import type { Actor } from '#identity';
import { DomainError, notFound, type Clock } from '#kernel';
import { CONTENT_TYPES } from '../domain/file-extension.ts';
import { fileNameOf } from '../domain/file-name.ts';
import { stagingKey } from '../domain/object-key.ts';
import { allocate, fileKeyOf, type UploadRules } from '../domain/upload.ts';
import type { ObjectStorage } from '../ports/object-storage.ts';
import type { RandomTokens } from '../ports/random-tokens.ts';
import type { Uploads } from '../ports/uploads.ts';

/** What a client needs to send a file. */
export interface UploadTicket {
  readonly uploadId: number;
  /** Takes one PUT of the bytes; a later one replaces them until the upload is finalized. */
  readonly signedUrl: string;
  /** Where the file will be once it is finalized. */
  readonly finalUrl: string;
  /** When `signedUrl` stops working. */
  readonly expiresAt: Date;
  /** What the PUT should send along. */
  readonly headers: Readonly<Record<string, string>>;
}

const TEN_YEARS_SECONDS = 315_360_000;

/** Gives a client a URL to send a file to. */
export class AllocateUpload {
  readonly #uploads: Uploads;
  readonly #storage: ObjectStorage;
  readonly #tokens: RandomTokens;
  readonly #rules: UploadRules;
  readonly #clock: Clock;

  constructor(
    uploads: Uploads,
    storage: ObjectStorage,
    tokens: RandomTokens,
    rules: UploadRules,
    clock: Clock,
  ) {
    this.#uploads = uploads;
    this.#storage = storage;
    this.#tokens = tokens;
    this.#rules = rules;
    this.#clock = clock;
  }

  /**
   * @param request.personaId without it, the file is added to the caller's first persona
   * @throws DomainError `validation_failed`, `unsupported_file_type`, `not_found`, `no_persona`
   */
  async run(
    actor: Actor,
    request: { readonly filename: string; readonly personaId?: number | null },
  ): Promise<UploadTicket> {
    const { text: filename, extension } = fileNameOf(request.filename);
    const { userId, workspaceId } = actor;
    const personaId = request.personaId ?? null;
    const now = this.#clock.now();
    const asked = { workspaceId, userId, personaId, token: this.#tokens.next(), filename };
    const upload = await this.#uploads.allocate(allocate(asked, this.#rules, now));
    if (!upload) {
      throw personaId === null
        ? new DomainError('no_persona', 'create a persona first, or say with pid which one the file is for')
        : notFound('persona');
    }
    const { expiresAt } = upload;
    const { maxBytes } = this.#rules;
    const signed = await this.#storage.signPut(stagingKey(upload.token), { expiresAt, maxBytes });
    return {
      uploadId: upload.id,
      signedUrl: signed.url,
      finalUrl: this.#storage.publicUrl(fileKeyOf(upload)),
      expiresAt,
      headers: {
        'Content-Type': CONTENT_TYPES[extension],
        'Cache-Control': `max-age=${TEN_YEARS_SECONDS}`,
        Expires: new Date(now.getTime() + TEN_YEARS_SECONDS * 1000).toUTCString(),
        ...signed.headers,
      },
    };
  }
}
