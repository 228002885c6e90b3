import { migratePostgres, type PostgresConnection } from '#adapters/postgres';
import { migrateQueue } from '#adapters/queue';

/**
 * Brings a database up to date: our tables and the queue's.
 *
 * @returns the names of the migrations that ran
 */
export async function migrateDatabase(connection: PostgresConnection, url: string): Promise<string[]> {
  return migratePostgres(connection, () => migrateQueue(url));
}
