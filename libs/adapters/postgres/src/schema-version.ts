import { sql } from 'kysely';
import type { Database } from './database.ts';
import { BASELINE, migrations } from './migrations/index.ts';

/** The migrations that have run on a database, compared with those of this version. */
export interface SchemaVersion {
  /** Names of this version's migrations that have not run. */
  readonly pending: readonly string[];
  /** Names of migrations that only a newer version has, in the order in which they ran. */
  readonly newer: readonly string[];
  /** True if a version before the baseline migrated it, which this version does not upgrade. */
  readonly isOlder: boolean;
  /** The version that migrated last; `null` when none is recorded. */
  readonly migratedBy: string | null;
}

/** Compares the migrations of the database with those of this version, in two brief statements. */
export async function readSchemaVersion(
  database: Database,
  known: readonly string[] = migrations.map(({ name }) => name),
): Promise<SchemaVersion> {
  const { rows: tables } = await findTable.execute(database.kysely);
  const { rows } = tables[0]!.exists ? await readNames.execute(database.kysely) : { rows: [] };
  const names = rows.map(({ name }) => name);
  // Migrations before the baseline are part of it.
  const ran = names.slice(Math.max(0, names.indexOf(BASELINE)));
  const isOlder = names.length > 0 && !names.includes(BASELINE);
  return {
    pending: known.filter((name) => !ran.includes(name)),
    newer: isOlder ? [] : ran.filter((name) => !known.includes(name)),
    isOlder,
    migratedBy: tables[0]!.comment?.replace(MIGRATED_BY, '') ?? null,
  };
}

/** Records the version that migrated, for the message of an older one that is started on this database. */
export async function writeSchemaVersion(database: Database, version: string): Promise<void> {
  await sql`comment on table migrations is ${sql.lit(MIGRATED_BY + version)}`.execute(database.kysely);
}

const MIGRATED_BY = 'migrated by x12 ';
const findTable = sql<{ exists: boolean; comment: string | null }>`
  select to_regclass('migrations') is not null as exists,
    obj_description(to_regclass('migrations'), 'pg_class') as comment`;
const readNames = sql<{ name: string }>`select name from migrations order by id`;
