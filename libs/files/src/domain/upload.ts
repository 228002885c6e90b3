import { CONTENT_TYPES } from './file-name.ts';
import { fileNameOf } from './file-name.ts';
import { fileKey, stagingKey } from './object-key.ts';
import type { NewFile, StoredFile } from './stored-file.ts';

/** How large uploads may be, and how long things last. */
export interface UploadRules {
  readonly maxBytes: number;
  /** How long a signed URL takes bytes. */
  readonly urlTtlSeconds: number;
  /** How long a temporary file lives after it was finalized. */
  readonly temporaryTtlSeconds: number;
  /** What each part of a file must have but the last. */
  readonly minPartBytes: number;
}

/** An upload that is sent in parts. */
export interface UploadParts {
  /** What the storage calls it. */
  readonly id: string;
  readonly count: number;
}

/** What is known of an upload in every state. */
export interface UploadFacts {
  readonly id: number;
  readonly workspaceId: number;
  readonly userId: number;
  /** The persona that the file is added to. */
  readonly personaId: number;
  /** Names the upload in its keys and URLs; can't be guessed. */
  readonly token: string;
  readonly filename: string;
  /** `null` for one that is sent as a whole. */
  readonly parts: UploadParts | null;
  readonly createdAt: Date;
  /** When the signed URL stops taking bytes. */
  readonly expiresAt: Date;
  /** When the sweep looks after what the upload may have left behind; `null` once it has. */
  readonly cleanUpAt: Date | null;
}

/** A signed URL was handed out; there may be bytes in the staging place, of this minute or the next. */
export interface AllocatedUpload extends UploadFacts {
  readonly state: 'allocated';
}

/** The bytes that become the file are chosen and checked: whatever is PUT from now on is not looked at. */
export interface FrozenUpload extends UploadFacts {
  readonly state: 'frozen';
  readonly frozenKey: string;
  /** Bytes. */
  readonly size: number;
}

/** The file is saved. */
export interface FinalizedUpload extends UploadFacts {
  readonly state: 'finalized';
  readonly file: StoredFile;
}

/** The file was temporary and its time is over. */
export interface ExpiredUpload extends UploadFacts {
  readonly state: 'expired';
}

export type Upload = AllocatedUpload | FrozenUpload | FinalizedUpload | ExpiredUpload;

/** An upload to be allocated. Without a persona it goes to the first persona that the user made in the workspace. */
export type NewUpload = Omit<AllocatedUpload, 'id' | 'state' | 'personaId'> & {
  readonly personaId: number | null;
};

/** An upload that is never finalized is dropped after this time. */
const UNFINISHED_SECONDS = 86_400;
/** One that is being finalized is left alone for so long. */
const FINALIZING_SECONDS = 3_600;
/** A PUT that started in time may go on for so long, or as long as the URL lasted if that is more. */
const LATE_PUT_SECONDS = 3_600;
/** It stays known for so long that there was a temporary file. */
const EXPIRED_SECONDS = 30 * 86_400;

export function allocate(
  asked: Pick<NewUpload, 'workspaceId' | 'userId' | 'personaId' | 'token' | 'filename' | 'parts'>,
  rules: UploadRules,
  now: Date,
): NewUpload {
  const times = lifetime(now, rules.urlTtlSeconds);
  return { ...asked, ...times, cleanUpAt: latest(after(now, UNFINISHED_SECONDS), lastPutAt(times)) };
}

/** @param copy the bytes that were chosen, under a key that nobody can write again */
export function freeze(
  upload: AllocatedUpload,
  copy: { readonly key: string; readonly size: number },
  now: Date,
): FrozenUpload {
  const cleanUpAt = latest(upload.cleanUpAt ?? now, after(now, FINALIZING_SECONDS));
  return { ...upload, state: 'frozen', frozenKey: copy.key, size: copy.size, cleanUpAt };
}

/** What is saved, all at once, when an upload is finalized. */
export interface Finalization {
  readonly upload: FrozenUpload;
  readonly file: NewFile;
  /** When the staging place is cleaned once more. */
  readonly cleanUpAt: Date;
}

/** A frozen upload becomes a file; a temporary one's time runs from now. */
export function finalize(upload: FrozenUpload, rules: UploadRules, now: Date): Finalization {
  const { extension, temporary } = fileNameOf(upload.filename);
  const file: NewFile = {
    workspaceId: upload.workspaceId,
    personaId: upload.personaId,
    origin: 'upload',
    key: fileKeyOf(upload),
    filename: upload.filename,
    size: upload.size,
    contentType: CONTENT_TYPES[extension],
    createdAt: now,
    expiresAt: temporary ? after(now, rules.temporaryTtlSeconds) : null,
  };
  return { upload, file, cleanUpAt: lastPutAt(upload) };
}

/** When an upload whose temporary file's time is over `now` is forgotten. */
export function forgottenAt(now: Date): Date {
  return after(now, EXPIRED_SECONDS);
}

/** The facts alone, without what only the present state has. */
export function factsOf(upload: UploadFacts): UploadFacts {
  const { id, workspaceId, userId, personaId, token, filename, parts, createdAt, expiresAt, cleanUpAt } =
    upload;
  return { id, workspaceId, userId, personaId, token, filename, parts, createdAt, expiresAt, cleanUpAt };
}

/** Where the bytes will be, or are, once the upload is finalized. */
export function fileKeyOf(upload: Pick<Upload, 'token' | 'filename'>): string {
  return fileKey(upload.token, upload.filename);
}

/** The keys under which an upload may have left bytes that no file needs. */
export function leftoversOf(upload: Upload): readonly string[] {
  const staging = stagingKey(upload.token);
  switch (upload.state) {
    case 'finalized':
      return [staging];
    case 'frozen':
      return [staging, upload.frozenKey, fileKeyOf(upload)];
    case 'allocated':
    case 'expired':
      return [staging, fileKeyOf(upload)];
  }
}

/** Whole days after which nothing in the staging place is of use to anybody. */
export function stagingDays(urlTtlSeconds: number): number {
  const start = new Date(0);
  const end = latest(after(start, UNFINISHED_SECONDS), lastPutAt(lifetime(start, urlTtlSeconds)));
  return Math.ceil(end.getTime() / 1000 / 86_400) + 1;
}

function lifetime(now: Date, urlTtlSeconds: number): Pick<UploadFacts, 'createdAt' | 'expiresAt'> {
  return { createdAt: now, expiresAt: after(now, urlTtlSeconds) };
}

/** When no PUT to the signed URL can be under way any longer. */
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
