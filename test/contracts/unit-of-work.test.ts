/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { connectPostgres, PostgresUnitOfWork } from '#adapters/postgres';
import { sql } from 'kysely';
import pg from 'pg';
import { emailOf } from '#identity';
import { User } from '../../libs/adapters/postgres/src/schema.ts';
import { createDatabase } from '../support/database.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const POOL_SIZE = 4;

const db = await suiteDatabase({ poolSize: POOL_SIZE });
const unitOfWork = new PostgresUnitOfWork(db.database);

describe('a unit of work on PostgreSQL', () => {
  const addUser = (email: string) =>
    db.database.kysely
      .insertInto('users')
      .values({ email: emailOf(email), created_at: new Date() })
      .execute();
  const emails = async () =>
    (await db.query<{ email: string }>('select email from users order by id')).map((row) => row.email);

  it('keeps and announces nothing of work that throws, nor of work nested in it', async () => {
    let announced = false;
    const work = unitOfWork.run(async () => {
      await addUser('lost@example.com');
      await unitOfWork.run(() => addUser('inner@example.com'));
      unitOfWork.afterCommit(() => (announced = true));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await emails()).toEqual([]);
    expect(announced).toBe(false);
  });

  it('gives its connection back when the connection breaks, at any point', async () => {
    const breakOff = () =>
      unitOfWork.run(async () => {
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db.database.kysely);
      });
    const breakAtCommit = () =>
      unitOfWork.run(async () => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.database.kysely);
        await db.pool.query('select pg_terminate_backend($1)', [rows[0]!.pid]);
      });
    const breakAtBegin = async () => {
      const other = new pg.Client({ connectionString: db.url });
      await other.connect();
      const broken = Array.from({ length: POOL_SIZE }, () =>
        unitOfWork.run(() => sql`select 1`.execute(db.database.kysely)),
      );
      await other.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await Promise.allSettled(broken);
      await other.end();
    };
    for (const breaking of [breakOff, breakAtCommit]) {
      for (let i = 0; i < POOL_SIZE * 2; i++) await expect(breaking()).rejects.toMatchObject({ code: 'unavailable' });
    }
    for (let i = 0; i < POOL_SIZE * 2; i++) await breakAtBegin();
    expect(db.pool.waitingCount).toBe(0);
    const all = await Promise.all(Array.from({ length: POOL_SIZE }, () => db.pool.connect()));
    for (const client of all) client.release();
  });

  it('loses only the attempt when an attempt inside it fails', async () => {
    await unitOfWork.run(async () => {
      await addUser('kept@example.com');
      const attempt = unitOfWork.attempt(async () => {
        await addUser('undone@example.com');
        throw new Error('refused');
      });
      await expect(attempt).rejects.toThrow('refused');
    });
    expect(await emails()).toEqual(['kept@example.com']);
  });

  it('loses an attempt with the attempts that have succeeded within it', async () => {
    const before = await emails();
    await unitOfWork.run(async () => {
      const attempt = unitOfWork.attempt(async () => {
        await addUser('outer@example.com');
        await unitOfWork.attempt(() => addUser('inner@example.com'));
        throw new Error('refused');
      });
      await expect(attempt).rejects.toThrow('refused');
    });
    expect(await emails()).toEqual(before);
  });

  it('is finished before the database is closed, even while its connection is being opened', async () => {
    const own = await connectPostgres(db.url);
    await own.pool.query('select 1');
    const work = [1, 2, 3].map((value) =>
      new PostgresUnitOfWork(own.database).run(async () => {
        const { rows } = await sql<{ value: number }>`select ${value}::int as value`.execute(own.database.kysely);
        return rows[0]!.value;
      }),
    );
    await new Promise(process.nextTick);
    expect([own.pool.totalCount, own.pool.idleCount]).toEqual([3, 0]);
    await own.close();
    expect(await Promise.all(work)).toEqual([1, 2, 3]);
    expect(own.pool.totalCount).toBe(0);
  });

  it('has the writes of rows by entity in its transaction', async () => {
    const email = emailOf('entity@example.com');
    const work = unitOfWork.run(async () => {
      await addUser(email);
      expect(await db.database.em.nativeUpdate(User, { email }, { name: 'Ada' })).toBe(1);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await emails()).not.toContain(email);
  });
});

describe('the check of writes', () => {
  it.each([
    ['is read-only, as a standby is', `default_transaction_read_only = on`, 'the database is read-only'],
    [
      'can not write a file, as on a full disk',
      `temp_file_limit = '100kB'`,
      'the database is not reachable; try again',
    ],
  ])('fails where the database %s', async (_name, setting, message) => {
    const db = await createDatabase();
    await db.database.checkWrites();
    await db.query(`alter database ${new URL(db.url).pathname.slice(1)} set ${setting}`);
    const { database, close } = await connectPostgres(db.url);
    await expect(database.checkWrites()).rejects.toMatchObject({ code: 'unavailable', message });
    await close();
    await db.drop();
  });
});
