import type { Actor } from '#identity';
import { fileKey, type NewFile, type NewUpload, type UploadRules } from '../index.ts';
import { someToken } from './arbitraries.ts';

const HOUR = 3_600_000;

export const someTime = new Date('2026-03-14T09:26:53.589Z');

export function hoursAfter(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR);
}

export function anActor(differences: Partial<Actor> = {}): Actor {
  return {
    userId: 1,
    workspaceId: 1,
    role: 'member',
    plan: 'free',
    isTeam: false,
    tokenId: 1,
    ...differences,
  };
}

export function someRules(differences: Partial<UploadRules> = {}): UploadRules {
  return {
    maxBytes: 1_000_000,
    urlTtlSeconds: 3_600,
    temporaryTtlSeconds: 43_200,
    minPartBytes: 1,
    ...differences,
  };
}

export function aFile(differences: Partial<NewFile> & Pick<NewFile, 'workspaceId'>): NewFile {
  const { filename = 'picture.png' } = differences;
  return {
    personaId: null,
    origin: 'import',
    key: fileKey(someToken(), filename),
    filename,
    size: 1234,
    contentType: 'image/png',
    createdAt: someTime,
    expiresAt: null,
    ...differences,
  };
}

export function anUpload(
  differences: Partial<NewUpload> & Pick<NewUpload, 'workspaceId' | 'userId'>,
): NewUpload {
  return {
    personaId: null,
    token: someToken(),
    filename: 'picture.png',
    parts: null,
    createdAt: someTime,
    expiresAt: hoursAfter(someTime, 1),
    cleanUpAt: hoursAfter(someTime, 24),
    ...differences,
  };
}
