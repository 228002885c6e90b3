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
  /** Takes one PUT of the bytes; a later one replaces them until the upload is finalized. `null` with parts. */
  readonly signedUrl: string | null;
  /** The same for each part, in order; `null` where the bytes are sent as a whole. */
  readonly partUrls: readonly string[] | null;
  /** Where the file will be once it is finalized. */
  readonly finalUrl: string;
  /** When those stop working. */
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
   * @param request.parts in how many parts the bytes are sent, 1 to 10,000; without it, as a whole
   * @throws DomainError `validation_failed`, `unsupported_file_type`, `not_found`, `no_persona`, `unavailable`
   */
  async run(
    actor: Actor,
    request: {
      readonly filename: string;
      readonly personaId?: number | null;
      readonly parts?: number | null;
    },
  ): Promise<UploadTicket> {
    const { text: filename, extension } = fileNameOf(request.filename);
    const { userId, workspaceId } = actor;
    const personaId = request.personaId ?? null;
    const now = this.#clock.now();
    const token = this.#tokens.next();
    const key = stagingKey(token);
    const whole = request.parts ? await this.#storage.beginParts(key, request.parts) : null;
    const parts = whole && { id: whole.id, count: whole.count };
    const asked = { workspaceId, userId, personaId, token, filename, parts };
    const upload = await this.#uploads.allocate(allocate(asked, this.#rules, now));
    if (!upload) {
      if (whole) await this.#storage.abandonParts(whole);
      throw personaId === null
        ? new DomainError('no_persona', 'create a persona first, or say with pid which one the file is for')
        : notFound('persona');
    }
    const { expiresAt } = upload;
    const limits = { expiresAt, maxBytes: this.#rules.maxBytes };
    const signed = whole
      ? await this.#storage.signParts(whole, limits)
      : [await this.#storage.signPut(key, limits)];
    const urls = signed.map(({ url }) => url);
    return {
      uploadId: upload.id,
      signedUrl: whole ? null : urls[0]!,
      partUrls: whole ? urls : null,
      finalUrl: this.#storage.publicUrl(fileKeyOf(upload)),
      expiresAt,
      headers: {
        'Content-Type': CONTENT_TYPES[extension],
        'Cache-Control': `max-age=${TEN_YEARS_SECONDS}`,
        Expires: new Date(now.getTime() + TEN_YEARS_SECONDS * 1000).toUTCString(),
        ...signed[0]!.headers,
      },
    };
  }
}
