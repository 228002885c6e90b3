import type { PostgresConnection } from './connect.ts';

/** Any constant will do, as long as every process that migrates uses the same. */
const MIGRATION_LOCK = 8_120_412;

/**
 * Brings the schema up to date, then does `also` (the queue's own tables, say). Processes that start at once
 * take turns.
 *
 * @returns names of the migrations that ran
 */
export async function migratePostgres(
  connection: PostgresConnection,
  also: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const client = await connection.pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await connection.orm.migrator.up();
    await also();
    return ran.map((migration) => migration.name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}
