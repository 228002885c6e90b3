import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPostgres, migratePostgres, type PostgresConnection } from '#adapters/postgres';
import { EmbeddedPostgres } from '#embedded';

/** Runs `work` on a migrated database of its own, as durable as the embedded one of `npm start`. */
export async function onBenchDatabase(
  work: (connection: PostgresConnection, url: string) => Promise<void>,
  options: { readonly poolSize?: number } = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'x12-bench-'));
  const server = await EmbeddedPostgres.open({ folder, password: 'bench' });
  try {
    const url = await server.start();
    const connection = await connectPostgres(url, options);
    try {
      await migratePostgres(connection);
      await work(connection, url);
    } finally {
      await connection.close();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
