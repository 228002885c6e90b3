import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo, type CopyToStreamQuery } from 'pg-copy-streams';
import { BYTES_LOCK } from './files/discarded-files.ts';

/** The tables that are not in a backup: rate limits, and the record of migrations, which a restored database has. */
const EXCLUDED_TABLES = ['rate_limits', 'migrations'];
const BATCH = 1_000;

/** A table of a backup. */
export interface SavedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** An object that belongs to a state of the database. */
export interface SnapshotObject {
  readonly key: string;
  /** True if it may be missing: bytes of an upload that is not finalized, or of a deleted file. */
  readonly isOptional: boolean;
}

/** The state of the database at one moment. While it is open, no program deletes or moves the bytes of files. */
export class DatabaseSnapshot {
  /** Waits until the current deletions of bytes have ended. */
  static async open(url: string): Promise<DatabaseSnapshot> {
    const client = await connect(url);
    await client.query('select pg_advisory_lock($1)', [BYTES_LOCK]);
    await client.query('begin isolation level repeatable read read only');
    return new DatabaseSnapshot(client);
  }

  private constructor(private readonly client: pg.Client) {}

  async close(): Promise<void> {
    await this.client.end();
  }

  /** The names of the migrations that have run, in their order. */
  async migrations(): Promise<readonly string[]> {
    const { rows } = await this.client.query<{ name: string }>('select name from migrations order by id');
    return rows.map(({ name }) => name);
  }

  async tables(): Promise<readonly SavedTable[]> {
    const { rows } = await this.client.query<SavedTable>(
      `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all($1)
         and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       group by c.relname order by c.relname`,
      [EXCLUDED_TABLES],
    );
    return rows;
  }

  /** The rows of a table in the text format of COPY; its `rowCount` counts them. */
  contentOf(table: SavedTable): CopyToStreamQuery {
    return this.client.query(copyTo(`copy ${columnsOf(table)} to stdout`));
  }

  /** The objects of files, of deleted files, and of uploads that are not finalized. */
  async *objects(): AsyncGenerator<readonly SnapshotObject[], void> {
    await this.client.query(
      `declare objects cursor for
         -- While an object moves it may be at either place, or at both.
         select place.key, files.deletion_id is not null or files.is_private is null as "isOptional" from files,
           lateral (
             select files.key where files.key not like 'files/%' or files.is_private is not true
             union all select regexp_replace(files.key, '^files/', 'private/')
             where files.key like 'files/%' and files.is_private is not false
           ) place
         union all select 'kept/' || regexp_replace(key, '^files/', ''), true from files where deletion_id is not null
         union all select 'staging/' || token, true from uploads where state in ('allocated', 'frozen')
         union all select frozen_key, true from uploads where state = 'frozen'`,
    );
    for (;;) {
      const { rows } = await this.client.query<SnapshotObject>(`fetch ${BATCH} from objects`);
      if (rows.length === 0) return;
      yield rows;
    }
  }

  /** The last value of each sequence. A restored database continues after it. */
  async sequences(): Promise<Readonly<Record<string, number>>> {
    const { rows } = await this.client.query<{ name: string; last: string }>(
      `select sequencename as name, last_value as last from pg_sequences
       where schemaname = 'public' and last_value is not null and sequencename !~ '^migrations_'`,
    );
    return Object.fromEntries(rows.map(({ name, last }) => [name, Number(last)]));
  }
}

/** The saved state of a snapshot. */
export interface SavedState {
  readonly tables: readonly SavedTable[];
  readonly sequences: Readonly<Record<string, number>>;
}

/**
 * Replaces all rows of a database that has exactly the migrations of the state. All jobs start again, including started
 * ones.
 *
 * @param contentOf the rows of a table as `DatabaseSnapshot.contentOf` returned them
 */
export async function loadState(
  url: string,
  { tables, sequences }: SavedState,
  contentOf: (table: SavedTable) => Readable,
): Promise<void> {
  const client = await connect(url);
  try {
    await client.query('begin');
    // Disables triggers and foreign keys: the rows include their effects.
    await client.query('set local session_replication_role = replica');
    await client.query(`truncate ${tables.map(nameOf).join(', ')}`);
    for (const table of tables) {
      await pipeline(contentOf(table), client.query(copyFrom(`copy ${columnsOf(table)} from stdin`)));
    }
    for (const [name, last] of Object.entries(sequences)) {
      await client.query('select setval($1, $2)', [`public.${pg.escapeIdentifier(name)}`, last]);
    }
    await client.query(
      'update jobs set relayed_at = null, started_at = null, ticket = null, deliveries = deliveries + 1',
    );
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

const nameOf = ({ name }: SavedTable) => `public.${pg.escapeIdentifier(name)}`;
const columnsOf = (table: SavedTable) => `${nameOf(table)} (${table.columns.map(pg.escapeIdentifier).join(', ')})`;

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // When the connection is lost, its statements fail.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
