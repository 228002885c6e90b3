import type { Readable } from 'node:stream';
import type { Actor } from '#identity';
import { DomainError, notFound, type Clock } from '#kernel';
import { CONTENT_TYPES } from '../domain/file-extension.ts';
import { fileNameOf } from '../domain/file-name.ts';
import { servingHeaders } from '../domain/object-headers.ts';
import { frozenKey, partsOfFileKey, stagingKey } from '../domain/object-key.ts';
import { refusalOfParts } from '../domain/parts-policy.ts';
import { isExpired, type StoredFile } from '../domain/stored-file.ts';
import {
  finalize,
  freeze,
  leftoversOf,
  type AllocatedUpload,
  type FinalizedUpload,
  type FrozenUpload,
  type Upload,
  type UploadRules,
} from '../domain/upload.ts';
import type { FileTypes } from '../ports/file-types.ts';
import type { ObjectInfo, ObjectStorage } from '../ports/object-storage.ts';
import type { RandomTokens } from '../ports/random-tokens.ts';
import type { Uploads } from '../ports/uploads.ts';
import { fileExpired } from './file-expired.ts';

export interface SavedUpload {
  readonly url: string;
  readonly file: StoredFile;
}

const HEAD_BYTES = 65_536;
/** More than any number of calls at once can need to agree; endless only if the bytes are replaced all the time. */
const MAX_ROUNDS = 10;

/**
 * Makes uploaded bytes a file. A signed URL can be PUT to again at any time, so the bytes are first copied to
 * where no URL can write, and that copy is checked, chosen in the record of the upload, and published. Calls at
 * the same time agree on the copy that was chosen first; a call after a crash goes on from there.
 */
export class FinalizeUpload {
  readonly #uploads: Uploads;
  readonly #storage: ObjectStorage;
  readonly #fileTypes: FileTypes;
  readonly #tokens: RandomTokens;
  readonly #rules: UploadRules;
  readonly #clock: Clock;

  constructor(
    uploads: Uploads,
    storage: ObjectStorage,
    fileTypes: FileTypes,
    tokens: RandomTokens,
    rules: UploadRules,
    clock: Clock,
  ) {
    this.#uploads = uploads;
    this.#storage = storage;
    this.#fileTypes = fileTypes;
    this.#tokens = tokens;
    this.#rules = rules;
    this.#clock = clock;
  }

  /**
   * @param url the upload's `finalUrl`
   * @throws DomainError `not_found`, `not_uploaded`, `too_large`, `file_type_mismatch`, `file_expired`, `conflict`
   */
  async run(actor: Actor, url: string): Promise<SavedUpload> {
    const place = partsOfFileKey(this.#storage.keyOf(url) ?? '');
    if (!place) throw notFound('upload');
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const upload = await this.#uploads.find(actor.workspaceId, place.token);
      if (upload?.filename !== place.filename) throw notFound('upload');
      const finalized = await this.#advance(upload);
      if (!finalized) continue;
      const { file } = finalized;
      if (isExpired(file, this.#clock.now())) throw fileExpired();
      return { url: this.#storage.publicUrl(file.key), file };
    }
    throw new DomainError('conflict', 'the bytes are being replaced all the time; stop, and try again');
  }

  /** `null` when others changed the upload meanwhile: then its record has to be read again. */
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
    const staging = stagingKey(upload.token);
    const seen = (await this.#storage.head(staging)) ?? (await this.#join(upload));
    if (!seen) return null;
    if (seen.size > this.#rules.maxBytes) {
      await this.#storage.delete([staging]);
      throw new DomainError('too_large', `a file may have at most ${this.#rules.maxBytes} bytes`);
    }
    const key = frozenKey(upload.token, this.#tokens.next());
    const copy = await this.#storage.copy(staging, key, { ifMatch: seen.etag });
    if (!copy) return null;
    if (!(await this.#isWhatItsNameSays(copy, upload.filename))) {
      await this.#storage.delete([key, staging]);
      throw new DomainError('file_type_mismatch', 'the uploaded bytes are not what the file name says');
    }
    const frozen = freeze(upload, copy, this.#clock.now());
    if (await this.#uploads.freeze(frozen)) return frozen;
    await this.#storage.delete([key]);
    return null;
  }

  /**
   * The bytes, put together from the parts that were sent; `null` when others changed the upload meanwhile.
   *
   * @throws DomainError `not_uploaded`, `too_large`
   */
  async #join(upload: AllocatedUpload): Promise<ObjectInfo | null> {
    const { token, parts } = upload;
    if (!parts) {
      if (!(await this.#isStillAllocated(upload))) return null;
      throw new DomainError('not_uploaded', 'PUT the bytes to the signed URL first');
    }
    const whole = { key: stagingKey(token), ...parts };
    const sent = await this.#storage.listParts(whole);
    const refusal = refusalOfParts(sent, parts.count, this.#rules);
    if (!refusal) return this.#storage.joinParts(whole, sent);
    // Calls at the same time may have joined the parts, or finalized the upload, since it was looked at.
    if (await this.#storage.head(whole.key)) return null;
    if (!(await this.#isStillAllocated(upload))) return null;
    if (refusal.code === 'too_large') await this.#storage.abandonParts(whole);
    throw refusal;
  }

  async #isStillAllocated(upload: AllocatedUpload): Promise<boolean> {
    const current = await this.#uploads.find(upload.workspaceId, upload.token);
    return current?.state === 'allocated';
  }

  async #isWhatItsNameSays({ key, size }: ObjectInfo, filename: string): Promise<boolean> {
    const head = size > 0 && (await this.#storage.open(key, { start: 0, end: HEAD_BYTES - 1 }));
    if (!head) return false;
    const contentType = await this.#fileTypes.detect(await bytesOf(head));
    return contentType === CONTENT_TYPES[fileNameOf(filename).extension];
  }

  async #publish(frozen: FrozenUpload): Promise<FinalizedUpload | null> {
    const finalization = finalize(frozen, this.#rules, this.#clock.now());
    const { file } = finalization;
    const headers = servingHeaders(file);
    if (!(await this.#storage.copy(frozen.frozenKey, file.key, { headers }))) {
      // The sweep has given the copy up, or another call is done with it.
      await this.#uploads.thaw(frozen);
      return null;
    }
    const finalized = await this.#uploads.finalize(finalization);
    if (finalized) {
      // The upload is saved whether this works or not: what stays here goes with the sweep.
      await this.#storage.delete([stagingKey(frozen.token), frozen.frozenKey]).catch(() => undefined);
    } else if (!(await this.#uploads.find(frozen.workspaceId, frozen.token))) {
      await this.#storage.delete(leftoversOf(frozen));
    }
    return finalized;
  }
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
