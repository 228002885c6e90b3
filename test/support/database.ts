import { randomBytes } from 'node:crypto';
import { connectPostgres, type PostgresConnection } from '#adapters/postgres';
import { databaseUrl, onServer, TEMPLATE } from './template-database.ts';

export interface TestDatabase extends PostgresConnection {
  readonly url: string;
  /** Runs SQL outside of any transaction: to prepare and to look, never as the code under test. */
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The first row of `query`. */
  one<Row>(sql: string, values?: readonly unknown[]): Promise<Row | null>;
  /** Closes the connection and drops the database. */
  drop(): Promise<void>;
}

/** An empty, migrated database of the calling test's own. */
export async function createDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set: run this suite through its Jest project');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} template ${TEMPLATE}`);
  const url = databaseUrl(server, name);
  const connection = await connectPostgres(url, options);
  const query = async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await connection.pool.query(sql, [...values])).rows as Row[];
  return {
    ...connection,
    url,
    query,
    one: async <Row>(sql: string, values?: readonly unknown[]) => (await query<Row>(sql, values))[0] ?? null,
    drop: async () => {
      await connection.close();
      // The server waits a moment for connections that are closing; whatever holds on after that is cut off.
      await onServer(server, `drop database ${name}`).catch(() =>
        onServer(server, `drop database if exists ${name} with (force)`),
      );
    },
  };
}
