import { systemClock } from '#kernel';
import { InMemoryObjectStorage } from './in-memory-object-storage.ts';
import { objectStorageContract } from './object-storage-contract.ts';

objectStorageContract('in memory', async () => {
  const storage = new InMemoryObjectStorage(systemClock);
  return { storage, send: async (url, bytes) => storage.receive(url, bytes) };
});
