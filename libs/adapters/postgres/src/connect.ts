import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import { PostgresDialect } from 'kysely';
import pg from 'pg';
import { Database } from './database.ts';
import { migrations } from './migrations/index.ts';
import { rowSchemas } from './row-schemas.ts';

export interface PostgresConnection {
  readonly database: Database;
  readonly orm: MikroORM;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
// int8[], which pg has no name for.
const INT8_ARRAY = 1016 as number as typeof pg.types.builtins.INT8;
const readArray = pg.types.getTypeParser(INT8_ARRAY) as (text: string) => string[];
types.setTypeParser(INT8_ARRAY, (text) => readArray(text).map(Number));

/** Connects to PostgreSQL at `url`, with one pool for the ORM and for plain SQL. */
export async function connectPostgres(
  url: string,
  options: { readonly poolSize?: number; readonly onError?: (error: Error) => void } = {},
): Promise<PostgresConnection> {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types,
  });
  // Without listeners a connection that the server drops ends the process.
  const onError = options.onError ?? (() => undefined);
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const orm = await MikroORM.init(ormOptions(url, new PostgresDialect({ pool })));
  await orm.connect();
  return { orm, pool, database: new Database(orm, pool), close: () => orm.close(true) };
}

function ormOptions(clientUrl: string, dialect: PostgresDialect): Options {
  return {
    driverOptions: dialect,
    clientUrl,
    ensureDatabase: false,
    entities: rowSchemas,
    extensions: [Migrator],
    migrations: { migrationsList: [...migrations], snapshot: false, tableName: 'migrations' },
    schemaGenerator: { ignoreSchema: ['bullmq'] },
    allowGlobalContext: true,
    logger: () => undefined,
  };
}
