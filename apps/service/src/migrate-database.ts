import type { Settings } from '#config';
import { connectPostgres, migratePostgres } from '#adapters/postgres';
import { migrateQueue } from '#adapters/queue';
import { StartError } from '#embedded';

/**
 * Brings the database of `settings` up to date: our tables and the queue's.
 *
 * @returns the names of the migrations that ran
 * @throws StartError
 */
export async function migrateDatabase({ database: { url } }: Settings): Promise<string[]> {
  if (url === null) {
    throw new StartError('DATABASE_URL is missing: give the address of the database to migrate');
  }
  const connection = await connect(url);
  try {
    return await migratePostgres(connection, () => migrateQueue(url));
  } finally {
    await connection.close();
  }
}

async function connect(url: string) {
  try {
    return await connectPostgres(url, { poolSize: 2 });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'no connection';
    throw new StartError(`the database of DATABASE_URL can not be reached (${reason}): check the address`);
  }
}
