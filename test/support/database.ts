import { randomBytes, randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import {
  connectPostgres,
  PostgresAccounts,
  PostgresFileRecords,
  type Database,
  type PostgresConnection,
} from '#adapters/postgres';
import { NOTHING_SEEN, type Picture, type SeenPicture } from '#files';
import { anActor, someone } from '#testing/identity';
import { databaseUrl, onServer, TEMPLATE } from './database-server.ts';

/** Raw SQL, to prepare and to look. It joins the surrounding transaction. */
export interface Sql {
  query<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The first row. */
  one<Row>(sql: string, values?: readonly unknown[]): Promise<Row | null>;
}

export function sqlOn(database: Database): Sql {
  const query = async <Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await database.kysely.executeQuery<Row>(CompiledQuery.raw(sql, [...values]))).rows;
  return { query, one: async <Row>(...of: [string, unknown[]?]) => (await query<Row>(...of))[0] ?? null } as Sql;
}

/** The workspace of a new user. */
export async function newWorkspace(database: Database) {
  const { user, workspaceId } = await new PostgresAccounts(database).open(someone());
  return { workspaceId, userId: user.id };
}

/** The owner of a new workspace, and a member of it who has a workspace of their own too. */
export async function newColleagues({ database, query }: TestDatabase) {
  const [own, theirs] = [await newWorkspace(database), await newWorkspace(database)];
  await query(
    `insert into memberships (workspace_id, user_id, is_team, role, joined_at) values ($1, $2, true, 'member', now())`,
    [own.workspaceId, theirs.userId],
  );
  const member = { workspaceId: own.workspaceId, userId: theirs.userId, role: 'member' } as const;
  return [anActor({ ...own, role: 'owner' }), anActor(member)] as const;
}

const FILENAME = 'picture.png';

/** The record of an imported file of a persona, or of none. */
export async function newFile(
  { kysely }: Database,
  workspaceId: number,
  personaId: number | null,
  contentType = 'image/png',
) {
  const filename = FILENAME;
  const { id, key } = await kysely
    .insertInto('files')
    .values({
      workspace_id: workspaceId,
      persona_id: personaId,
      origin: 'import',
      key: `files/${randomUUID()}/${filename}`,
      filename,
      size: 1,
      content_type: contentType,
      created_at: new Date(),
    })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow();
  return { id, key, contentType };
}

/** A file that was looked at. */
export async function newPicture(
  database: Database,
  workspaceId: number,
  { contentType = 'image/png', ...seen }: Partial<SeenPicture & Pick<Picture, 'contentType'>> = {},
) {
  const { id, key } = await newFile(database, workspaceId, null, contentType);
  const facts = { ...NOTHING_SEEN, width: 8, height: 6, placeholder: 'AAAA', ...seen };
  await new PostgresFileRecords(database).saveSeen(id, facts);
  const { look: _, ...shown } = facts;
  return { id, key, picture: { ...shown, key, name: FILENAME, contentType } satisfies Picture };
}

export interface TestDatabase extends PostgresConnection, Sql {
  readonly url: string;
  /** Closes the connection and drops the database. */
  drop(): Promise<void>;
}

/** A database that exists, and is left as it is. */
export async function connectDatabase(url: string, options: { poolSize?: number } = {}): Promise<TestDatabase> {
  // Many calls of a test wait for few connections on a busy machine.
  const connection = await connectPostgres(url, { connectMs: 60_000, ...options });
  return { ...connection, url, ...sqlOn(connection.database), drop: () => connection.close() };
}

/** An empty, migrated database of the calling test's own. */
export async function createDatabase(options: { poolSize?: number } = {}): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) throw new Error('TEST_DATABASE_URL is not set: run this suite through its Jest project');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await onServer(server, `create database ${name} template ${TEMPLATE}`);
  const connected = await connectDatabase(databaseUrl(server, name), options);
  return {
    ...connected,
    drop: async () => {
      await connected.close();
      // The server waits a moment for connections that are closing; whatever holds on after that is cut off.
      await onServer(server, `drop database ${name}`).catch(() =>
        onServer(server, `drop database if exists ${name} with (force)`),
      );
    },
  };
}
