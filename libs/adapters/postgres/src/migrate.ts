import type { PostgresConnection } from './connect.ts';
import { readSchemaVersion, type SchemaVersion, writeSchemaVersion } from './schema-version.ts';

/** Any constant will do, as long as every process that migrates uses the same. */
const MIGRATION_LOCK = 8_120_412;

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
 * take turns.
 *
 * @param version of what migrates
 * @returns names of the migrations that ran
 * @throws NewerDatabase; nothing is changed then
 */
export async function migratePostgres(
  connection: PostgresConnection,
  version: string,
  also: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const client = await connection.pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const schema = await readSchemaVersion(connection.database);
    if (schema.newer.length > 0) throw new NewerDatabase(schema, version);
    const ran = await connection.orm.migrator.up();
    if (schema.migratedBy !== version) await writeSchemaVersion(connection.database, version);
    await also();
    return ran.map((migration) => migration.name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}
