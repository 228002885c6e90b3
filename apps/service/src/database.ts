import type { Settings } from '#config';
import {
  connectPostgres,
  migratePostgres,
  NewerDatabase,
  OlderDatabase,
  type PostgresConnection,
} from '#adapters/postgres';
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
 * @throws StartError when a newer version has migrated it, which the settings do not allow; when it is too old; when a
 * migration refuses it, or lacks a right
 */
export async function migrateDatabase(
  { database: { allowNewer } }: Settings,
  connection: PostgresConnection,
  url: string,
): Promise<string[]> {
  try {
    return await migratePostgres(connection, describeRelease(RELEASE), () => migrateQueue(url), allowNewer);
  } catch (error) {
    if (error instanceof NewerDatabase || error instanceof OlderDatabase) {
      throw new StartError(error.message, { cause: error });
    }
    throw refusal(error) ?? error;
  }
}

/** Refusals of PostgreSQL to run a migration, by code. */
const REFUSALS: Readonly<Record<string, (reason: string) => string>> = {
  // insufficient_privilege
  '42501': (reason) => `a migration failed: ${reason}; the role of DATABASE_URL has to own what it changes`,
  // raise_exception, by the migration itself
  P0001: (reason) => reason,
};

function refusal(error: unknown): StartError | null {
  if (!(error instanceof Error)) return null;
  const say = REFUSALS[(error as { code?: string }).code ?? ''];
  return say ? new StartError(say(error.message.split('\n').at(-1)!)) : refusal(error.cause);
}

async function connect(url: string): Promise<PostgresConnection> {
  try {
    const connection = await connectPostgres(url, { poolSize: 2, connectMs: CONNECT_MS });
    await connection.pool.query('select 1');
    return connection;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new StartError(
      `the database of DATABASE_URL cannot be used (${message || code}): check the URL, and whether the server runs`,
    );
  }
}
