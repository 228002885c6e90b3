import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import pg from 'pg';
import { Database } from './database.ts';
import { Dialect } from './dialect.ts';
import { migrations } from './migrations/index.ts';
import { Notices } from './notices.ts';
import { PreparingClient } from './prepared.ts';
import { entities } from './schema.ts';
import { SharedConnections } from './shared-connections.ts';

export interface PostgresConnection {
  readonly database: Database;
  readonly orm: MikroORM;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
// pg has no name for int8[].
const INT8_ARRAY = 1016 as number as typeof pg.types.builtins.INT8;
const readArray = pg.types.getTypeParser(INT8_ARRAY) as (text: string) => string[];
types.setTypeParser(INT8_ARRAY, (text) => readArray(text).map(Number));

/** The number of connections that brief reads share. Each carries many statements at once. */
const SHARED = 2;
const BRIEF = 'set statement_timeout = 10000';

type MigrationList = NonNullable<Options['migrations']>['migrationsList'];

export interface PostgresOptions {
  readonly poolSize?: number;
  /** Longest wait for a connection. Default: 5,000. */
  readonly connectMs?: number;
  /** Longest wait of a transaction for a lock. Default: no limit. */
  readonly lockMs?: number;
  readonly onError?: (error: Error) => void;
  /** Default: the migrations of this version. */
  readonly migrations?: MigrationList;
}

/** Connects to PostgreSQL at `url`, with one pool for the ORM and for plain SQL. */
export async function connectPostgres(url: string, options: PostgresOptions = {}): Promise<PostgresConnection> {
  const config = {
    connectionString: url,
    // An attempt at an address that no longer responds must end, so that the next one finds the restarted server.
    connectionTimeoutMillis: options.connectMs ?? 5_000,
    keepAlive: true,
    types,
  };
  // Without a listener, a connection that the server drops would end the process.
  const onError = options.onError ?? (() => undefined);
  const openPool = (max: number): pg.Pool => {
    const opened = new pg.Pool({ ...config, max, Client: PreparingClient, pipeline: true });
    opened.on('error', onError);
    opened.on('connect', (client) => {
      client.on('error', onError);
      // Not a startup parameter: poolers refuse it. If this fails, the connection is broken.
      if (options.lockMs) client.query(`set lock_timeout = ${options.lockMs}`).catch(() => undefined);
    });
    return opened;
  };
  const openShared = () => new PreparingClient({ ...config, pipeline: true }).on('error', onError);
  const shared = new SharedConnections(SHARED, BRIEF, openShared);
  const pool = openPool(options.poolSize ?? 10);
  const sidePool = openPool(2);
  const orm = await MikroORM.init(ormOptions(url, new Dialect(pool), options.migrations ?? [...migrations]));
  await orm.connect();
  const notices = new Notices(sidePool);
  const close = async (): Promise<void> => {
    await notices.close();
    await orm.close(true);
    // The ORM ends the pool only if it has used it.
    if (!pool.ending) await pool.end();
    await sidePool.end();
    await shared.end();
  };
  return { orm, pool, database: new Database(orm, pool, sidePool, shared, notices), close };
}

function ormOptions(clientUrl: string, dialect: Dialect, list: MigrationList): Options {
  return {
    driverOptions: dialect,
    clientUrl,
    ensureDatabase: false,
    entities: [...entities],
    extensions: [Migrator],
    // Each migration has its own transaction, so that locks end with it and indexes can be built outside of transactions.
    migrations: { migrationsList: list, snapshot: false, tableName: 'migrations', allOrNothing: false },
    schemaGenerator: { ignoreSchema: ['bullmq'] },
    allowGlobalContext: true,
    logger: () => undefined,
  };
}
