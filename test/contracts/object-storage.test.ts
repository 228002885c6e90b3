/** @tier test, 12 s */
import { afterAll } from '@jest/globals';
import { systemClock } from '#kernel';
import { InMemoryObjectStorage, objectStorageContract } from '#testing/files';
import { temporaryDisk } from '../support/disk-client.ts';

const disk = await temporaryDisk(systemClock);
afterAll(() => disk.drop());

objectStorageContract('disk', async () => disk);

const memory = new InMemoryObjectStorage(systemClock);
objectStorageContract('in memory', async () => ({
  storage: memory,
  send: async (url, bytes) => memory.receive(url, bytes),
  fetch: async (url) => memory.fetch(url),
}));
