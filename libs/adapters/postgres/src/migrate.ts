import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { PostgresConnection } from './connect.ts';
import { readSchemaVersion, type SchemaVersion, writeSchemaVersion } from './schema-version.ts';
import { isLockTimeout } from './translate-database-error.ts';

/** Any constant, the same for every process that migrates. */
const MIGRATION_LOCK = 8_120_412;
const LOOK_EVERY_MS = 200;
/** The pause after a migration has timed out waiting for the lock of a table: requests behind it continue. */
const LET_PASS_MS = 1000;
const MAX_TRIES = 60;

/** The database has migrations that this version does not know. */
export class NewerDatabase extends Error {
  constructor(
    readonly schema: SchemaVersion,
    version: string,
  ) {
    const by = schema.migratedBy === null ? 'a newer version' : `version ${schema.migratedBy}`;
    const [last, ...others] = schema.newer.toReversed();
    const migration = others.length === 0 ? last : `${last} and ${others.length} more`;
    super(
      `the database was migrated by ${by}, and this is version ${version}, which lacks ${migration}: start that version ` +
        'or a newer one, or set ALLOW_NEWER_DATABASE=true to go back during an upgrade',
    );
  }
}

/** The database lacks the last migration of 0.2. */
export class OlderDatabase extends Error {
  constructor() {
    super(
      'the database is of a version before 26 November 2026: start 0.2.0 of that day (commit 719ad91a) on it first, then ' +
        'this version',
    );
  }
}

/**
 * Runs the pending migrations, then `also`, such as for the queue's own tables. Concurrent processes take turns. When a
 * migration fails, the earlier ones stay.
 *
 * @param version of this program, with its commit: versions between releases differ by that alone
 * @param allowNewer leaves a database alone that a newer version has migrated
 * @returns names of the migrations that ran
 * @throws NewerDatabase, OlderDatabase without effect
 */
export async function migratePostgres(
  connection: PostgresConnection,
  version: string,
  also: () => Promise<void> = async () => undefined,
  allowNewer = false,
): Promise<string[]> {
  const client = await connection.pool.connect();
  try {
    await takeTurn(client);
    const known = connection.orm.config
      .get('migrations')
      .migrationsList!.map((each) => (each as { name: string }).name);
    const schema = await readSchemaVersion(connection.database, known);
    if (schema.newer.length > 0) {
      if (allowNewer) return [];
      throw new NewerDatabase(schema, version);
    }
    if (schema.isOlder) throw new OlderDatabase();
    const ran = await migrate(connection);
    if (schema.migratedBy !== version) await writeSchemaVersion(connection.database, version);
    await also();
    return ran.map((migration) => migration.name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    client.release();
  }
}

/** Polls: a statement that waits would have a snapshot, and building an index concurrently waits for all snapshots. */
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
