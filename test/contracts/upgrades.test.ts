/** @tier test */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BASELINE,
  connectPostgres,
  migratePostgres,
  migrations,
  OlderDatabase,
  readSchemaVersion,
  type PostgresConnection,
} from '#adapters/postgres';
import type { Settings } from '#config';
import { migrateDatabase } from '../../apps/service/src/database.ts';
import { databaseUrl, onServer } from '../support/database-server.ts';

/** Parts of a database of 0.2 beyond the baseline. */
const OF_0_2 = [
  `insert into migrations (id, name) values (-1, '2026-11-21-main-job'), (0, '2026-11-26-shares')`,
  `create function show_deletion_to_0_1() returns trigger language plpgsql as $$
  begin
    new.deleted_at := now();
    return new;
  end $$`,
  `create trigger boards_deleted before update of deletion_id on boards
    for each row when (new.deletion_id is distinct from old.deletion_id) execute function show_deletion_to_0_1()`,
];

describe('a database', () => {
  const server = process.env.TEST_DATABASE_URL!;
  let name: string;
  let url: string;
  let connection: PostgresConnection;
  beforeEach(async () => {
    name = `t_${randomBytes(6).toString('hex')}`;
    url = databaseUrl(server, name);
    await onServer(server, `create database ${name}`);
    connection = await connectPostgres(url, { poolSize: 2 });
    await connection.orm.migrator.up({ to: BASELINE });
  });
  afterEach(async () => {
    await connection.close();
    await onServer(server, `drop database ${name} with (force)`);
  });

  const run = async (...statements: readonly string[]) => {
    for (const statement of statements) await connection.pool.query(statement);
  };
  const functions = async () => {
    const { rows } = await connection.pool.query(`select proname from pg_proc where proname like '%0_1'`);
    return rows;
  };

  it('of 0.2 is upgraded by the migrations after it, and none of before counts as newer', async () => {
    await run(...OF_0_2);
    expect(await functions()).toHaveLength(1);
    expect(await migratePostgres(connection, '0.3.0')).toEqual(migrations.slice(1).map((each) => each.name));
    expect(await readSchemaVersion(connection.database)).toEqual({
      pending: [],
      newer: [],
      isOlder: false,
      migratedBy: '0.3.0',
    });
    expect(await functions()).toEqual([]);
  });

  it('of 0.2 keeps for people who turned mails about boards off that they get none', async () => {
    await run(
      ...OF_0_2,
      `insert into users (email, created_at, review_mails)
        values ('ada@example.com', now(), false), ('grace@example.com', now(), true)`,
    );
    await migratePostgres(connection, '0.3.0');
    const { rows } = await connection.pool.query(
      'select email, kind, mail from inbox_settings join users on users.id = user_id order by kind',
    );
    expect(rows).toEqual([
      { email: 'ada@example.com', kind: 'decision', mail: 'off' },
      { email: 'ada@example.com', kind: 'mention', mail: 'off' },
    ]);
  });

  it('of 0.2 is refused while its trash has entries of 0.1, which stay', async () => {
    await run(
      ...OF_0_2,
      `with ada as (insert into users (email, created_at) values ('ada@example.com', now()) returning id),
        home as (insert into workspaces (kind, plan, created_at) values ('personal', 'free', now()) returning id),
        entry as (
          insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
          select home.id, 'board', 1, ada.id, now(), now() + interval '1 day' from ada, home returning id)
      insert into trash_rows (trash_id, relation, content) select id, 'boards', '{}' from entry`,
    );
    const settings = { database: { url, allowNewer: false } } as Settings;
    await expect(migrateDatabase(settings, connection, url)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(/^the trash has entries of 0\.1, .* DELETE_GRACE_DAYS are over$/),
    });
    expect((await connection.pool.query('select from trash_rows')).rows).toHaveLength(1);
    await run('delete from trash_rows');
    const names = migrations.map((each) => each.name);
    const after = names.indexOf('2026-11-28-end-of-0-1');
    expect(await migrateDatabase(settings, connection, url)).toEqual(names.slice(after));
  });

  it('of before is refused without effect, and told which version to start first', async () => {
    await run(...OF_0_2, `delete from migrations where name = '${BASELINE}'`);
    const refused = migratePostgres(connection, '0.3.0');
    await expect(refused).rejects.toThrow(OlderDatabase);
    await expect(refused).rejects.toThrow('start 0.2.0 of that day (commit 719ad91a) on it first');
    expect(await functions()).toHaveLength(1);
  });
});
