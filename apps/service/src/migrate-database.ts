import type { Settings } from '#config';
import { connectPostgres, migratePostgres, type PostgresConnection } from '#adapters/postgres';
import { migrateQueue } from '#adapters/queue';
import { StartError } from '#embedded';

/**
 * Brings the database of `settings` up to date, our tables and the queue's, and does something with it then.
 *
 * @param work gets the names of the migrations that ran
 * @throws StartError
 */
export async function withMigratedDatabase<T>(
  { database: { url } }: Settings,
  work: (connection: PostgresConnection, ran: readonly string[]) => T | Promise<T>,
): Promise<T> {
  if (url === null) {
    throw new StartError('DATABASE_URL is missing: give the address of the database to migrate');
  }
  const connection = await connect(url);
  try {
    const ran = await migratePostgres(connection, () => migrateQueue(url));
    return await work(connection, ran);
  } finally {
    await connection.close();
  }
}

async function connect(url: string): Promise<PostgresConnection> {
  try {
    return await connectPostgres(url, { poolSize: 2 });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'no connection';
    throw new StartError(`the database of DATABASE_URL can not be reached (${reason}): check the address`);
  }
}
