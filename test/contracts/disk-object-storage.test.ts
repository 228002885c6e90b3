import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { systemClock } from '#kernel';
import { objectStorageContract } from '#testing/upload';
import { DiskObjectStorage } from '#adapters/storage';

const root = await mkdtemp(join(tmpdir(), 'x12-storage-'));
afterAll(() => rm(root, { recursive: true }));

objectStorageContract('disk', async () => {
  return new DiskObjectStorage({
    root,
    publicUrl: 'http://127.0.0.1:3000',
    secret: 'x'.repeat(32),
    clock: systemClock,
  });
});
