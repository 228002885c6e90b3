/** @tier test */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectPostgres, type PostgresConnection } from '#adapters/postgres';
import { databaseUrl, onServer } from '../support/database-server.ts';

describe("an installation in which submissions share a vendor's job", () => {
  const server = process.env.TEST_DATABASE_URL!;
  const name = `t_${randomBytes(6).toString('hex')}`;
  let connection: PostgresConnection;
  beforeAll(async () => {
    await onServer(server, `create database ${name}`);
    connection = await connectPostgres(databaseUrl(server, name), { poolSize: 2 });
    await connection.orm.migrator.up({ to: '2026-11-22-next-jobs' });
  });
  afterAll(async () => {
    await connection.close();
    await onServer(server, `drop database ${name} with (force)`);
  });

  it('is upgraded: the first submission keeps a shared handle, the others are closed', async () => {
    const { pool } = connection;
    await pool.query(`
      insert into users (email, created_at) values ('ada@example.com', now());
      insert into workspaces (kind, plan, created_at) values ('personal', 'free', now());
      insert into generations (workspace_id, user_id, model, kind, state, parameters, cost, created_at)
        select 1, 1, 'm', 'image', 'running', '{}', 4, now() from generate_series(1, 6);
      insert into submissions (generation_id, provider, request_key, attempt, state, handle, intended_at, give_up_at,
                               submitted_at, next_check_at)
        select n, case when n < 4 then 'replicate' else 'fal' end, gen_random_uuid(), 1, 'submitted',
          case when n < 4 then '{"id": "p1"}'::jsonb else jsonb_build_object('request_id', 'r' || n % 2) end,
          now(), now() + interval '1 hour', now() - n * interval '1 second', now() + interval '1 minute'
        from generate_series(1, 6) n`);
    await connection.orm.migrator.up();

    const { rows } = await pool.query(`
      select generation_id::int as id, handle ->> 'id' as job, next_check_at <= now() and give_up_at <= now() as over
      from submissions order by generation_id`);
    expect(rows).toEqual([
      { id: 1, job: null, over: true },
      { id: 2, job: null, over: true },
      { id: 3, job: 'p1', over: false },
      { id: 4, job: null, over: true },
      { id: 5, job: 'r1', over: false },
      { id: 6, job: 'r0', over: false },
    ]);
    const shared = pool.query(`update submissions set handle = '{"id": "p1"}' where generation_id = 1`);
    await expect(shared).rejects.toMatchObject({ constraint: 'submissions_handle' });
    await pool.query(`update submissions set handle = '{"id": "p1"}' where generation_id = 4`);
  });
});
