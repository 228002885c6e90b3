import { createPostgresBackend, runMigrations, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import pg from 'pg';
import type { QueueConnection } from './queues.ts';

/** The schema of BullMQ's tables, which its functions find by the search path. */
const SCHEMA = 'bullmq';

/** Interval at which idle workers poll, in addition to notifications of the database. */
const DRAIN_DELAY_SECONDS = 60;

/**
 * Runs BullMQ on PostgreSQL, with one pool for all queues and workers of the process.
 *
 * @param poolSize each worker occupies one connection for notifications
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
  // Every queue and worker adds listeners.
  pool.setMaxListeners(0);
  pool.on('error', options.onError);
  pool.on('connect', (client) => client.on('error', options.onError));
  const connection = pool as unknown as ConnectionOptions;
  return {
    queues: { connection },
    workers: () => ({ connection, drainDelay: DRAIN_DELAY_SECONDS }),
    isUnreachable: () => false,
    check: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
  };
}

/** Migrates BullMQ's own tables. */
export async function migrateQueue(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await runMigrations(client, SCHEMA);
  } finally {
    await client.end();
  }
}
