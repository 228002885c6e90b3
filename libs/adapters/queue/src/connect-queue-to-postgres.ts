import { createPostgresBackend, runMigrations, setDefaultBackendFactory, type ConnectionOptions } from 'bullmq';
import pg from 'pg';
import type { QueueConnection } from './queues.ts';

/** The schema of BullMQ's tables; its functions find them by the search path. */
const SCHEMA = 'bullmq';

/** The database notifies idle workers; this is how often they poll in addition. */
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
  setDefaultBackendFactory(createBackend);
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
    isAway: () => false,
    check: async () => void (await pool.query('select 1')),
    close: () => pool.end(),
  };
}

/** What BullMQ responds with where there is no job: no limit of its rate, and no time of the next delayed job. */
const NOTHING = [null, '', 0, 0];

/**
 * Each time that BullMQ finds no job it asks for a limit, of which there is none here, and for the time of the next
 * delayed job, which it asks for again before it waits.
 */
const createBackend: typeof createPostgresBackend = (...args) => {
  const backend = createPostgresBackend(...args) as unknown as { buildNextJobResult: NextJobResult };
  const build = backend.buildNextJobResult.bind(backend);
  backend.buildNextJobResult = (rows, ...about) => (rows.length > 0 ? build(rows, ...about) : Promise.resolve(NOTHING));
  return backend as unknown as ReturnType<typeof createPostgresBackend>;
};

type NextJobResult = (rows: readonly unknown[], ...about: unknown[]) => Promise<unknown>;

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
