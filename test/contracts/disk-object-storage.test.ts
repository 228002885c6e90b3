import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { systemClock } from '#kernel';
import { objectStorageContract } from '#testing/files';
import { DiskObjectStorage } from '#adapters/storage';
import { sendToDisk } from '../support/disk-client.ts';

const root = await mkdtemp(join(tmpdir(), 'x12-storage-'));
afterAll(() => rm(root, { recursive: true }));

objectStorageContract('disk', async () => {
  const storage = new DiskObjectStorage({
    root,
    publicUrl: 'http://127.0.0.1:3000',
    secret: 'x'.repeat(32),
    clock: systemClock,
  });
  return { storage, send: (url, bytes) => sendToDisk(storage, url, bytes) };
});
