import { rm } from 'node:fs/promises';

export default async function stopDatabase() {
  if (!globalThis.testDatabase) return;
  const { server, folder } = globalThis.testDatabase;
  await server.stop();
  await rm(folder, { recursive: true, maxRetries: 5 });
  globalThis.testDatabase = undefined;
}
