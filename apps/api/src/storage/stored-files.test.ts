import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Settings } from '#config';
import { StoredUrls, type FilePermission, type ObjectStorage } from '#files';
import { ManualClock } from '#testing/kernel';
import { StoredFilesController } from './stored-files.ts';

const NOW = new Date('2026-12-01T10:00:00Z');
const BUCKET = 'https://bucket.example.com';
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

let permission: FilePermission | null;
let isMoved: boolean;
let headers: Map<string, string>;
beforeEach(() => {
  isMoved = true;
  headers = new Map();
});

const storage = {
  head: async () => (isMoved ? { size: 1 } : null),
  signGet: async (key: string, expiresAt: Date, cacheControl: string) =>
    `${BUCKET}/${key} until ${expiresAt.toISOString()} as ${cacheControl}`,
} as unknown as ObjectStorage;
const settings = { storage: { bucket: 'files', filesServedBy: 'bucket' } } as unknown as Settings;
const controller = new StoredFilesController(
  storage,
  storage,
  { permissionOf: async () => permission } as never,
  new StoredUrls(BUCKET, [], 'https://api.example.com'),
  new ManualClock(NOW),
  {} as never,
  settings,
);

/** Where a reader is led to. */
async function redirected(): Promise<string> {
  let to = '';
  const response = {
    setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
    redirect: (status: number, url: string) => void (to = `${status} ${url}`),
  };
  await controller.getFile({ originalUrl: '/files/token/a.png' } as never, response as never);
  return to;
}

describe('a file of a bucket that serves files', () => {
  it.each([
    [3_601, 3_600],
    [3_600, 3_600],
    [3_599, 3_599],
  ])('whose URL is valid for %d s is a URL of the bucket for %d s', async (left, seconds) => {
    permission = { of: 'reader', until: after(left), optionsAreSigned: true };
    const until = after(seconds).toISOString();
    expect(await redirected()).toBe(`302 ${BUCKET}/private/token/a.png until ${until} as private, max-age=${seconds}`);
    expect(headers.get('cache-control')).toBe(`private, max-age=${seconds}`);
    expect(headers.get('x-robots-tag')).toBe('noindex');
  });

  it('that has not moved yet is at its public URL, as one of a public workspace', async () => {
    isMoved = false;
    permission = { of: 'reader', until: after(100), optionsAreSigned: true };
    expect(await redirected()).toBe(`302 ${BUCKET}/files/token/a.png`);
    permission = { of: 'anyone', isCertain: true, optionsAreSigned: false };
    expect(await redirected()).toBe(`302 ${BUCKET}/files/token/a.png`);
  });

  it('that opens this once is not kept by caches', async () => {
    permission = { of: 'reader', until: null, optionsAreSigned: false };
    await redirected();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('without permission is not found', async () => {
    permission = null;
    await expect(redirected()).rejects.toMatchObject({ code: 'not_found' });
  });
});
