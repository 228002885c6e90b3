import {
  createPostgresBackend,
  runMigrations,
  setDefaultBackendFactory,
  type ConnectionOptions,
} from 'bullmq';
import pg from 'pg';

/** BullMQ's tables have a schema of their own, and its functions find them by the search path. */
const SCHEMA = 'bullmq';

export interface QueueConnection {
  /** What BullMQ's queues and workers of this process share. */
  readonly connection: ConnectionOptions;
  close(): Promise<void>;
}

/**
 * Lets BullMQ work on PostgreSQL, with one pool for all queues and workers of the process.
 *
 * @param poolSize a worker occupies one connection by listening
 */
export function connectQueueToPostgres(
  url: string,
  options: { readonly poolSize: number; readonly onError: (error: Error) => void },
): QueueConnection {
  setDefaultBackendFactory(createPostgresBackend);
  const pool = new pg.Pool({
    connectionString: url,
    options: `-c search_path=${SCHEMA}`,
    max: options.poolSize,
    keepAlive: true,
  });
  pool.on('error', options.onError);
  pool.on('connect', (client) => client.on('error', options.onError));
  return { connection: pool as unknown as ConnectionOptions, close: () => pool.end() };
}

/** Brings BullMQ's own tables up to date. */
export async function migrateQueue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await runMigrations(client, SCHEMA);
  } finally {
    await client.end();
  }
}
