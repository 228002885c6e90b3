import { afterAll } from '@jest/globals';
import { systemClock } from '#kernel';
import { objectStorageContract } from '#testing/files';
import { temporaryDisk } from '../support/disk-client.ts';

const disk = await temporaryDisk(systemClock);
afterAll(() => disk.drop());

objectStorageContract('disk', async () => disk);
