import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresUnitOfWork } from '#adapters/postgres';
import { createDatabase, type TestDatabase } from '../support/database.ts';

describe('a unit of work on PostgreSQL', () => {
  let db: TestDatabase;
  let unitOfWork: PostgresUnitOfWork;
  const addUser = (email: string) =>
    db.database.query('insert into users (email, created_at) values ($1, now())', [email]);
  const emails = async () =>
    (await db.database.query<{ email: string }>('select email from users order by id')).map(
      (row) => row.email,
    );

  beforeAll(async () => {
    db = await createDatabase();
    unitOfWork = new PostgresUnitOfWork(db.database);
  });
  afterAll(() => db.drop());

  it('keeps nothing of work that throws, and does nothing after a commit that never came', async () => {
    let announced = false;
    const work = unitOfWork.run(async () => {
      await addUser('lost@example.com');
      unitOfWork.afterCommit(() => (announced = true));
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await emails()).toEqual([]);
    expect(announced).toBe(false);
  });

  it('commits nested work only together with the work around it', async () => {
    const work = unitOfWork.run(async () => {
      await unitOfWork.run(() => addUser('inner@example.com'));
      throw new Error('outer failed');
    });
    await expect(work).rejects.toThrow('outer failed');
    expect(await emails()).toEqual([]);
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
});
