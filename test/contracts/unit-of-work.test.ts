/** @tier test */
import { describe, expect, it } from '@jest/globals';
import { build, connectPostgres, PostgresUnitOfWork, prepared } from '#adapters/postgres';
import { sql } from 'kysely';
import pg from 'pg';
import { emailOf } from '#identity';
import { User } from '../../libs/adapters/postgres/src/schema.ts';
import { createDatabase } from '../support/database.ts';
import { itInRounds } from '../support/rounds.ts';
import { suiteDatabase } from '../support/suite-database.ts';

const POOL_SIZE = 4;

const db = await suiteDatabase({ poolSize: POOL_SIZE });
const unitOfWork = new PostgresUnitOfWork(db.database);

const addUser = (email: string) =>
  db.database.kysely
    .insertInto('users')
    .values({ email: emailOf(email), created_at: new Date() })
    .execute();

describe('a unit of work on PostgreSQL', () => {
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

  itInRounds('runs again after a deadlock, until all have their effect, which is announced once', async (round) => {
    const [first, second] = [`first${round}@example.com`, `second${round}@example.com`];
    await addUser(first);
    await addUser(second);
    const both = Promise.withResolvers<void>();
    let waiting = 2;
    const announced: string[] = [];
    const rename = (name: string, ...order: string[]) =>
      unitOfWork.run(async () => {
        unitOfWork.afterCommit(() => announced.push(name));
        for (const email of order) {
          await db.database.em.nativeUpdate(User, { email: emailOf(email) }, { name });
          if (--waiting === 0) both.resolve();
          await both.promise;
        }
      });
    await Promise.all([rename('a', first, second), rename('b', second, first)]);
    expect(announced.toSorted()).toEqual(['a', 'b']);
  });

  it('is unavailable after three reruns that failed, too', async () => {
    let runs = 0;
    const work = unitOfWork.run(async () => {
      runs++;
      await sql`do $$ begin raise sqlstate '40001'; end $$`.execute(db.database.kysely);
    });
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    expect(runs).toBe(4);
  });

  it('waits for a lock as long as a request may, and is then unavailable, without a rerun', async () => {
    const { database, close } = await connectPostgres(db.url, { lockMs: 50 });
    const requests = new PostgresUnitOfWork(database);
    const [locked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = unitOfWork.run(async () => {
      await sql`lock table webhook_secrets`.execute(db.database.kysely);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    let runs = 0;
    const waiting = requests.run(async () => {
      runs++;
      await sql`select from webhook_secrets for update`.execute(database.kysely);
    });
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    expect(runs).toBe(1);
    held.resolve();
    await locking;
    await close();
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

describe('a late transaction on PostgreSQL', () => {
  const count = async () => (await db.query('select from users')).length;
  const add = async (name: string) => {
    await unitOfWork.run(async () => {
      await addUser(`${name}@late.example.com`);
    });
  };
  const nothing = () => Promise.resolve();

  it('has no connection before its first unit of work, and has all of them in it, with what is first and last', async () => {
    const before = await count();
    const steps: string[] = [];
    const step = (name: string) => async () => {
      steps.push(`${name}: ${String(unitOfWork.hasBegun)}`);
      await sql`select`.execute(db.database.kysely);
    };
    const work = async () => {
      await step('before')();
      await add('one');
      await step('between')();
      await add('two');
      unitOfWork.afterCommit(() => steps.push('outside'));
      await unitOfWork.run(async () => unitOfWork.afterCommit(() => steps.push('announced')));
      return (await db.pool.query('select from users')).rowCount;
    };
    const seen = await unitOfWork.late(step('first'), work, step('last'));
    expect(steps).toEqual(['before: false', 'first: true', 'between: true', 'last: true', 'outside', 'announced']);
    expect([seen, await count()]).toEqual([before, before + 2]);
  });

  it('keeps and announces nothing when its work, what is first or what is last throws', async () => {
    const before = await count();
    const fail = () => Promise.reject(new Error('no'));
    let announced = 0;
    const work = async () => {
      await add('lost');
      await unitOfWork.run(async () => unitOfWork.afterCommit(() => announced++));
    };
    const failing = [
      unitOfWork.late(nothing, () => work().then(fail), nothing),
      unitOfWork.late(fail, work, nothing),
      unitOfWork.late(nothing, work, fail),
    ];
    for (const each of failing) await expect(each).rejects.toThrow('no');
    expect([await count(), announced]).toEqual([before, 0]);
  });

  it('loses only a unit of work that fails and whose failure is handled, and never what is first', async () => {
    const before = await count();
    let firsts = 0;
    const failing = (name: string) =>
      unitOfWork
        .run(async () => {
          await add(name);
          throw new Error('handled');
        })
        .catch(() => undefined);
    await unitOfWork.late(
      async () => void firsts++,
      async () => {
        await failing('undone');
        await add('kept');
        await failing('undone too');
      },
      nothing,
    );
    expect([await count(), firsts]).toEqual([before + 1, 2]);
  });
});

describe('the check of writes', () => {
  it.each([
    ['is read-only, as a standby is', `default_transaction_read_only = on`, 'the database is read-only'],
    ['cannot write a file, as on a full disk', `temp_file_limit = '100kB'`, 'the database is not reachable; try again'],
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

it('prepares each statement of a transaction that is sent in one write', async () => {
  const namesOfPrepared = prepared<object>()(() => ({
    compile: () => sql<{ name: string }>`select name from pg_prepared_statements`.compile(build),
  }));
  const { namesOfPrepared: rows } = await db.database.together({ namesOfPrepared }, {});
  expect(rows).not.toEqual([]);
});
