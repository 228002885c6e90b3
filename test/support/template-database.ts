import pg from 'pg';
import { connectPostgres, migratePostgres } from '#adapters/postgres';
import { migrateQueue } from '#adapters/queue';

export const TEMPLATE = 'x12_template';

/** Makes the migrated database that tests copy. */
export async function prepareTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${TEMPLATE}`);
  const url = databaseUrl(serverUrl, TEMPLATE);
  const connection = await connectPostgres(url);
  try {
    await migratePostgres(connection, () => migrateQueue(url));
  } finally {
    await connection.close();
  }
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function onServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
