import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { PostgresConnection } from './connect.ts';
import { readSchemaVersion, type SchemaVersion, writeSchemaVersion } from './schema-version.ts';
import { isLockTimeout } from './translate-database-error.ts';

/** Any constant will do, as long as every process that migrates uses the same. */
const MIGRATION_LOCK = 8_120_412;
const LOOK_EVERY_MS = 200;
/** A migration that waits in vain for the lock of a table lets requests pass for so long. */
const LET_PASS_MS = 1000;
const MAX_TRIES = 60;

/** The database has migrations that this version does not know. */
export class NewerDatabase extends Error {
  constructor(
    readonly schema: SchemaVersion,
    version: string,
  ) {
    const by = schema.migratedBy === null ? 'a newer version' : `version ${schema.migratedBy}`;
    super(`the database was migrated by ${by}, and this is version ${version}: start that version or a newer one`);
  }
}

/**
 * Brings the schema up to date, then does `also` (the queue's own tables, say). Processes that start at once
 * take turns. Migrations that have run stay when a later one fails.
 *
 * @param version of what migrates
 * @returns names of the migrations that ran
 * @throws NewerDatabase, and nothing has changed
 */
export async function migratePostgres(
  connection: PostgresConnection,
  version: string,
  also: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const client = await connection.pool.connect();
  try {
    await takeTurn(client);
    const known = connection.orm.config
      .get('migrations')
      .migrationsList!.map((each) => (each as { name: string }).name);
    const schema = await readSchemaVersion(connection.database, known);
    if (schema.newer.length > 0) throw new NewerDatabase(schema, version);
    const ran = await migrate(connection);
    if (schema.migratedBy !== version) await writeSchemaVersion(connection.database, version);
    await also();
    return ran.map((migration) => migration.name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

/** A statement that waits for its turn would have a snapshot, for the end of which an index waits that is being built. */
async function takeTurn(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [MIGRATION_LOCK]);
    if (rows[0].mine) return;
    await sleep(LOOK_EVERY_MS);
  }
}

async function migrate({ orm }: PostgresConnection): Promise<{ name: string }[]> {
  for (let tries = 1; ; tries++) {
    try {
      return await orm.migrator.up();
    } catch (error) {
      if (!isLockTimeout(error) || tries === MAX_TRIES) throw error;
      await sleep(LET_PASS_MS);
    }
  }
}
