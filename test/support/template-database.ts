import { connectPostgres, migratePostgres } from '#adapters/postgres';
import { migrateQueue } from '#adapters/queue';
import { databaseUrl, onServer, TEMPLATE } from './database-server.ts';

/** Makes the migrated database that tests copy. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${TEMPLATE}`);
  const url = databaseUrl(serverUrl, TEMPLATE);
  const connection = await connectPostgres(url);
  try {
    await migratePostgres(connection, '0', () => migrateQueue(url));
  } finally {
    await connection.close();
  }
}
