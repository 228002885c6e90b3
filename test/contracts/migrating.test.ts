/** @tier deep, 8 s, about libs/adapters/postgres/src/migrations */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectPostgres, IndexMigration, migratePostgres, migrations, OnlineMigration } from '#adapters/postgres';
import type { Settings } from '#config';
import { migrateDatabase, withDatabase } from '../../apps/service/src/database.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { untilWaiting } from '../support/until-waiting.ts';

class AddColumn extends OnlineMigration {
  override readonly statements = ['alter table boards add column shape text'];
}
class AddIndex extends IndexMigration {
  override readonly indexes = [{ name: 'boards_by_shape', on: 'boards (shape)' }];
}

describe('migrations of tables that are in use', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  /** Migrates as a process of the next version does, with these migrations more. */
  async function migrateWith(...more: readonly { name: string; class: typeof AddColumn | typeof AddIndex }[]) {
    const connection = await connectPostgres(database.url, { migrations: [...migrations, ...more] });
    try {
      return await migratePostgres(connection, '99.0.0');
    } finally {
      await connection.close();
    }
  }

  it('let requests pass while a table is locked for long, and run when it is free', async () => {
    const client = await database.pool.connect();
    await client.query('begin; lock table boards in access share mode');
    const migrated = migrateWith({ name: 'add-column', class: AddColumn });
    // Each request passes once the migration stops waiting: the lock is held until all have.
    for (let requests = 0; requests < 2; requests++) {
      await untilWaiting(database);
      await database.query('select count(*) from boards');
    }
    await client.query('commit');
    client.release();
    expect(await migrated).toEqual(['add-column']);
  });

  it('run once when several processes start at once, indexes that are built concurrently among them', async () => {
    const both = [
      { name: 'add-column', class: AddColumn },
      { name: 'add-index', class: AddIndex },
    ];
    const ran = await Promise.all([1, 2, 3].map(() => migrateWith(...both)));
    expect(ran.flat()).toEqual(['add-column', 'add-index']);
    const [index] = await database.query(
      "select indisvalid from pg_index where indexrelid = 'boards_by_shape'::regclass",
    );
    expect(index).toEqual({ indisvalid: true });
  });

  it('say in one line which right the role of the database lacks', async () => {
    const url = Object.assign(new URL(database.url), { username: 'x12_reader', password: 'a test' }).href;
    await database.query(`drop table migrations`);
    await database.query(`create role x12_reader login password 'a test'`);
    try {
      const settings = { database: { url, allowNewer: false } } as Settings;
      const refused = withDatabase(settings, (connection) => migrateDatabase(settings, connection, url));
      const message = 'a migration failed: permission denied for schema public; the role of DATABASE_URL has to own';
      await expect(refused).rejects.toMatchObject({ name: 'StartError', message: expect.stringContaining(message) });
    } finally {
      await database.query('drop role x12_reader');
    }
  });

  it('stay when a later one fails, and are not run again', async () => {
    class Fails extends OnlineMigration {
      override readonly statements = ['alter table boards add column shape text', 'select 1 / 0'];
    }
    const first = { name: 'add-column', class: AddColumn };
    await expect(migrateWith(first, { name: 'fails', class: Fails })).rejects.toThrow();
    expect(await migrateWith(first, { name: 'add-index', class: AddIndex })).toEqual(['add-index']);
  });
});
