import type { CustomData } from '#kernel';
import { STORED_TYPES, fileNameOf, permanentNameOf } from './file-name.ts';
import { fileKey, stagingKey } from './object-key.ts';
import type { Marking } from './provenance.ts';
import { expiryOf, type NewFile, type StoredFile } from './stored-file.ts';
import type { UploadRules } from './upload-policy.ts';

/** An upload that is sent in parts. */
export interface UploadParts {
  /** The storage's identifier. */
  readonly id: string;
  readonly count: number;
}

/** The properties of an upload in every state. */
export interface UploadFacts extends CustomData {
  readonly id: number;
  readonly workspaceId: number;
  readonly userId: number;
  /** The persona that the file is added to. */
  readonly personaId: number;
  /** Identifies the upload in its keys and URLs; can't be guessed. */
  readonly token: string;
  readonly filename: string;
  /** `null` for an upload that is sent as a whole. */
  readonly parts: UploadParts | null;
  readonly createdAt: Date;
  /** When the signed URL stops accepting bytes. */
  readonly expiresAt: Date;
  /** When the sweep deletes the upload's leftover bytes; `null` once it has. */
  readonly cleanUpAt: Date | null;
}

/** A signed URL was issued; bytes may arrive under the staging key at any time. */
export interface AllocatedUpload extends UploadFacts {
  readonly state: 'allocated';
}

/** The bytes of the file are chosen and checked; later PUTs are ignored. */
export interface FrozenUpload extends UploadFacts {
  readonly state: 'frozen';
  readonly frozenKey: string;
  /** Bytes. */
  readonly size: number;
  /** `null` unless it is a picture that lost its metadata. */
  readonly marking: Marking | null;
  /** True if the file is published at the private place of its key. */
  readonly isPrivate: boolean;
}

/** The file is saved. */
export interface FinalizedUpload extends UploadFacts {
  readonly state: 'finalized';
  readonly file: StoredFile;
}

/** The temporary file has expired. */
export interface ExpiredUpload extends UploadFacts {
  readonly state: 'expired';
}

export type Upload = AllocatedUpload | FrozenUpload | FinalizedUpload | ExpiredUpload;

/** An upload to be allocated; its default persona is the first one that the user created in the workspace. */
export type NewUpload = Omit<AllocatedUpload, 'id' | 'state' | 'personaId'> & { readonly personaId: number | null };

/** After this time, an upload that is not finalized is dropped. */
const UNFINISHED_SECONDS = 86_400;
/** The sweep waits this long for an upload that is being finalized. */
const FINALIZING_SECONDS = 3_600;
/** Minimum time that a PUT may take that started in time; longer if the URL was valid for longer. */
const LATE_PUT_SECONDS = 3_600;
/** How long the upload of an expired file is kept. */
const EXPIRED_SECONDS = 30 * 86_400;

export function allocate(
  asked: Omit<NewUpload, 'createdAt' | 'expiresAt' | 'cleanUpAt'>,
  rules: UploadRules,
  now: Date,
): NewUpload {
  const times = lifetime(now, rules.urlTtlSeconds);
  return { ...asked, ...times, cleanUpAt: latest(after(now, UNFINISHED_SECONDS), lastPutAt(times)) };
}

/** @param copy the chosen bytes, under a key that is never written again, and where they are published */
export function freeze(
  upload: AllocatedUpload,
  copy: { readonly key: string; readonly size: number; readonly marking?: Marking | null; readonly isPrivate: boolean },
  now: Date,
): FrozenUpload {
  const cleanUpAt = latest(upload.cleanUpAt ?? now, after(now, FINALIZING_SECONDS));
  const { key, size, marking = null, isPrivate } = copy;
  return { ...upload, state: 'frozen', frozenKey: key, size, marking, isPrivate, cleanUpAt };
}

/** The records that finalizing saves atomically. */
export interface Finalization {
  readonly upload: FrozenUpload;
  readonly file: NewFile;
  /** When the staging key is cleaned up again. */
  readonly cleanUpAt: Date;
}

/** Makes a frozen upload a file. The lifetime of a temporary file starts now. */
export function finalize(upload: FrozenUpload, rules: UploadRules, now: Date): Finalization {
  const name = fileNameOf(upload.filename);
  const file: NewFile = {
    workspaceId: upload.workspaceId,
    personaId: upload.personaId,
    origin: 'upload',
    key: fileKeyOf(upload),
    isPrivate: upload.isPrivate,
    filename: upload.filename,
    name: permanentNameOf(upload.filename),
    size: upload.size,
    contentType: STORED_TYPES[name.extension],
    marking: upload.marking,
    customer: upload.customer,
    metadata: upload.metadata,
    createdAt: now,
    expiresAt: expiryOf(name, rules.temporaryTtlSeconds, now),
    seen: null,
  };
  return { upload, file, cleanUpAt: lastPutAt(upload) };
}

/** When to drop an upload whose temporary file expires `now`. */
export function forgottenAt(now: Date): Date {
  return after(now, EXPIRED_SECONDS);
}

/** The properties common to all states. */
export function factsOf(upload: UploadFacts): UploadFacts {
  const { id, workspaceId, userId, personaId, token, filename, parts, createdAt, expiresAt, cleanUpAt } = upload;
  const { customer, metadata } = upload;
  const asked = { id, workspaceId, userId, personaId, token, filename, parts, customer, metadata };
  return { ...asked, createdAt, expiresAt, cleanUpAt };
}

/** Key of the file once the upload is finalized. */
export function fileKeyOf(upload: Pick<Upload, 'token' | 'filename'>): string {
  return fileKey(upload.token, upload.filename);
}

/** The keys that may hold leftover bytes of an upload. */
export function leftoversOf(upload: Upload): readonly string[] {
  const staging = stagingKey(upload.token);
  switch (upload.state) {
    case 'finalized':
    // The bytes of a deleted file are discarded with it: they may have to be kept, or to wait for a backup.
    case 'expired':
      return [staging];
    case 'frozen':
      return [staging, upload.frozenKey, fileKeyOf(upload)];
    case 'allocated':
      return [staging, fileKeyOf(upload)];
  }
}

/** Whole days after which any object under `staging/` is useless. */
export function stagingDays(urlTtlSeconds: number): number {
  const start = new Date(0);
  const end = latest(after(start, UNFINISHED_SECONDS), lastPutAt(lifetime(start, urlTtlSeconds)));
  return Math.ceil(end.getTime() / 1000 / 86_400) + 1;
}

function lifetime(now: Date, urlTtlSeconds: number): Pick<UploadFacts, 'createdAt' | 'expiresAt'> {
  return { createdAt: now, expiresAt: after(now, urlTtlSeconds) };
}

/** When the last PUT to the signed URL must have ended. */
function lastPutAt({ createdAt, expiresAt }: Pick<Upload, 'createdAt' | 'expiresAt'>): Date {
  const lifetime = (expiresAt.getTime() - createdAt.getTime()) / 1000;
  return after(expiresAt, Math.max(lifetime, LATE_PUT_SECONDS));
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000);
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}
