import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One PostgreSQL for the whole run, with a migrated template that each test file copies (see database.ts). */
export default async function startDatabase() {
  if (process.env.TEST_DATABASE_URL) return;
  const { EmbeddedPostgres } = await import('../../libs/embedded/src/index.ts');
  const folder = await mkdtemp(join(tmpdir(), 'x12-test-postgres-'));
  const server = await EmbeddedPostgres.open({
    folder,
    password: 'postgres',
    configuration: { fsync: 'off', max_connections: '300' },
  });
  process.env.TEST_DATABASE_URL = await server.start();
  globalThis.testDatabase = { server, folder };

  const { prepareTemplate } = await import('./template-database.ts');
  await prepareTemplate(process.env.TEST_DATABASE_URL);
}
