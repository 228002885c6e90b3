import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stopDatabase from './stop-database.js';

/** One PostgreSQL for the whole run, with a migrated template that each test file copies (see database.ts). */
export default async function startDatabase() {
  if (process.env.TEST_DATABASE_URL) return;
  const { EmbeddedPostgres } = await import('../../libs/embedded/src/index.ts');
  const folder = await mkdtemp(join(await fastFolder(), 'x12-test-postgres-'));
  const server = await EmbeddedPostgres.open({
    folder,
    password: 'postgres',
    configuration: { fsync: 'off', max_connections: '300' },
  });
  // Loading the migrations takes as long as starting the server.
  const migrations = import('./template-database.ts');
  process.env.TEST_DATABASE_URL = await server.start();
  globalThis.testDatabase = { server, folder };
  // Jest ends at once when it is stopped.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => void stopDatabase().finally(() => process.exit(1)));
  }

  const { prepareTemplate } = await migrations;
  await prepareTemplate(process.env.TEST_DATABASE_URL);
}

/** Memory where there is plenty, as on most Linux machines: making and dropping databases is mostly waiting for a disk. */
async function fastFolder() {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 8e9 ? memory : tmpdir();
}
