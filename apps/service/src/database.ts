import type { Settings } from '#config';
import { connectPostgres, migratePostgres, NewerDatabase, type PostgresConnection } from '#adapters/postgres';
import { migrateQueue } from '#adapters/queue';
import { describeRelease, RELEASE, StartError } from '#process';

const CONNECT_MS = 5000;

/**
 * Runs `work` on the database of `settings`.
 *
 * @throws StartError when it can't be reached
 */
export async function withDatabase<T>(
  { database: { url } }: Settings,
  work: (connection: PostgresConnection, url: string) => Promise<T>,
): Promise<T> {
  if (url === null) throw new StartError('DATABASE_URL is missing: set it to the URL of the database');
  const connection = await connect(url);
  try {
    return await work(connection, url);
  } finally {
    await connection.close();
  }
}

/**
 * Migrates the tables of the service and of the queue.
 *
 * @returns the names of the migrations that ran
 * @throws StartError when a newer version has migrated it, which the settings do not allow
 */
export async function migrateDatabase(
  { database: { allowNewer } }: Settings,
  connection: PostgresConnection,
  url: string,
): Promise<string[]> {
  try {
    return await migratePostgres(connection, describeRelease(RELEASE), () => migrateQueue(url), allowNewer);
  } catch (error) {
    if (error instanceof NewerDatabase) throw new StartError(error.message, { cause: error });
    throw lacksRight(error) ?? error;
  }
}

/** PostgreSQL's code for a right that a role has not. */
const INSUFFICIENT_PRIVILEGE = '42501';

function lacksRight(error: unknown): StartError | null {
  const isIt = error instanceof Error && (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE;
  if (!isIt) return error instanceof Error && error.cause ? lacksRight(error.cause) : null;
  const reason = error.message.split('\n').at(-1)!;
  return new StartError(`a migration failed: ${reason}; the role of DATABASE_URL has to own what it changes`);
}

async function connect(url: string): Promise<PostgresConnection> {
  try {
    const connection = await connectPostgres(url, { poolSize: 2, connectMs: CONNECT_MS });
    await connection.pool.query('select 1');
    return connection;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `the database of DATABASE_URL can not be used (${message || code}): check the URL, and whether the server runs`,
    );
  }
}
