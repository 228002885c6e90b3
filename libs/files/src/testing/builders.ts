import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { NO_CUSTOM_DATA } from '#kernel';
export { times } from '#testing/identity';
import {
  CONTENT_TYPES,
  fileKey,
  fileNameOf,
  finalize,
  freeze,
  frozenKey,
  StoredUrls,
  type AllocatedUpload,
  type FileExtension,
  type FinalizedUpload,
  type FrozenUpload,
  type IssuedUrls,
  type NewFile,
  type NewUpload,
  type StoredFile,
  type UploadRecords,
  type UploadRules,
} from '../index.ts';
import type { FileStore } from './file-store.ts';

const HOUR = 3_600_000;

export const someTime = new Date('2026-03-14T09:26:53.589Z');

export function hoursAfter(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR);
}

export function someRules(differences: Partial<UploadRules> = {}): UploadRules {
  return {
    maxBytes: 1_000_000,
    maxStrippedBytes: 1_000_000,
    metadata: 'keep',
    urlTtlSeconds: 3_600,
    temporaryTtlSeconds: 43_200,
    minPartBytes: 1,
    ...differences,
  };
}

/** The URLs of a public workspace. */
export function plainUrlsAt(base: string): IssuedUrls {
  const urls = new StoredUrls(base);
  return { urlOf: (key) => urls.plainUrlOf(key), expiresAt: null, version: '' };
}

export function aFile(differences: Partial<NewFile> & Pick<NewFile, 'workspaceId'>): NewFile {
  const { filename = 'picture.png', name = filename } = differences;
  return {
    personaId: null,
    origin: 'import',
    key: fileKey(someToken(), filename),
    isPrivate: false,
    filename,
    name,
    size: 1234,
    contentType: 'image/png',
    createdAt: someTime,
    expiresAt: null,
    seen: null,
    ...differences,
  };
}

export function anUpload(differences: Partial<NewUpload> & Pick<NewUpload, 'workspaceId' | 'userId'>): NewUpload {
  return {
    personaId: null,
    token: someToken(),
    filename: 'picture.png',
    parts: null,
    ...NO_CUSTOM_DATA,
    createdAt: someTime,
    expiresAt: hoursAfter(someTime, 1),
    cleanUpAt: hoursAfter(someTime, 24),
    ...differences,
  };
}

/** Reserves the key of a file and adds it. */
export async function addFile({ files }: FileStore, ...[differences]: Parameters<typeof aFile>): Promise<StoredFile> {
  const file = aFile(differences);
  const isPrivate = await files.reserve(file.key, file.workspaceId, file.createdAt);
  return files.add({ ...file, isPrivate });
}

/** Adds one upload; `null` when its persona is missing. */
export async function allocateOne(uploads: UploadRecords, upload: NewUpload): Promise<AllocatedUpload | null> {
  const added = await uploads.allocate([upload]);
  return 'missing' in added ? null : added[0]!;
}

/** A frozen upload with that many bytes. */
export async function addFrozen({ uploads }: FileStore, upload: NewUpload, size = 1): Promise<FrozenUpload> {
  const allocated = (await allocateOne(uploads, upload))!;
  const frozen = freeze(allocated, { key: frozenKey(upload.token, someToken()), size, isPrivate: false }, someTime);
  await uploads.freeze(frozen);
  return frozen;
}

/** A finalized upload. */
export async function addFinalized(store: FileStore, upload: NewUpload): Promise<FinalizedUpload> {
  const frozen = await addFrozen(store, upload);
  return (await store.uploads.finalize(finalize(frozen, someRules(), someTime)))!;
}

/** A token that is unique per call. */
export function someToken(): string {
  return randomBytes(12).toString('base64url');
}

const extensions = fc.constantFrom(...(Object.keys(CONTENT_TYPES) as FileExtension[]));

/** Valid file names in any script. */
export const filenames: fc.Arbitrary<string> = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), extensions)
  .map(([stem, extension]) => `${stem}.${extension}`.normalize('NFC'))
  .filter(isFileName);

function isFileName(text: string): boolean {
  try {
    return fileNameOf(text).text === text;
  } catch {
    return false;
  }
}
