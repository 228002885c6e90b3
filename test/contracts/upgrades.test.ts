/** @tier test */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { connectPostgres, PostgresBoardViews, type PostgresConnection } from '#adapters/postgres';
import { databaseUrl, onServer } from '../support/database-server.ts';

describe('an installation that is upgraded', () => {
  const server = process.env.TEST_DATABASE_URL!;
  let name: string;
  let connection: PostgresConnection;
  afterEach(async () => {
    await connection.close();
    await onServer(server, `drop database ${name} with (force)`);
  });

  /** A database with the migrations up to this one. */
  async function open(to: string): Promise<PostgresConnection> {
    name = `t_${randomBytes(6).toString('hex')}`;
    await onServer(server, `create database ${name}`);
    connection = await connectPostgres(databaseUrl(server, name), { poolSize: 2 });
    await connection.orm.migrator.up({ to });
    return connection;
  }

  it('whose media have absolute URLs has their keys, with nothing else changed', async () => {
    const { pool, database } = await open('2026-11-21-retention');
    await pool.query(`
      insert into users (email, created_at) values ('ada@example.com', now());
      insert into workspaces (kind, plan, created_at) values ('personal', 'free', now());
      insert into boards (workspace_id, created_by, name, media_count, version, created_at)
        values (1, 1, 'Board', 3, 7, now());
      insert into files (workspace_id, origin, key, filename, size, content_type, created_at) values
        (1, 'upload', 'files/aa/Näh e.png', 'Näh e.png', 1, 'image/png', now()),
        (1, 'import', 'files/bb/control.png', 'control.png', 1, 'image/png', now()),
        (1, 'import', 'files/cc/thumbnail-320.webp', 'thumbnail-320.webp', 1, 'image/webp', now()),
        (1, 'import', 'files/dd/thumbnail-1024.webp', 'thumbnail-1024.webp', 1, 'image/webp', now());
      insert into media (board_id, created_by, state, source_url, source_control_image, url, control_image, thumbnails,
                         width, created_at, answer)
        values (1, 1, 'processed', 'https://old.example.com/x/files/aa/N%C3%A4h%20e.png', 'https://example.com/files/zz/c.png',
                'https://old.example.com/x/files/aa/N%C3%A4h%20e.png', 'https://old.example.com/x/files/bb/control.png',
                '[{"url": "https://old.example.com/x/files/cc/thumbnail-320.webp", "width": 320, "height": 200},
                  {"url": "https://old.example.com/x/files/dd/thumbnail-1024.webp", "width": 1024, "height": 640}]',
                4000, '2026-11-21T10:00:00.123Z', ''),
               (1, 1, 'failed', 'https://example.com/files/aa/a.png', null, null, null, '[]', null, now(), ''),
               (1, 1, 'created', 'http://localhost:3000/files/aa/N%C3%A4h%20e.png', null, null, null, '[]', null, now(), '');
      insert into media_files values (1, 1), (1, 2), (1, 3), (1, 4), (3, 1)`);
    await connection.orm.migrator.up();

    const { rows } = await pool.query('select source_url, source_control_image from media order by id');
    expect(rows).toEqual([
      { source_url: 'files/aa/Näh e.png', source_control_image: 'https://example.com/files/zz/c.png' },
      { source_url: 'https://example.com/files/aa/a.png', source_control_image: null },
      { source_url: 'files/aa/Näh e.png', source_control_image: null },
    ]);
    const board = await new PostgresBoardViews(database).board(1, 1);
    expect(board).toMatchObject({
      version: 7,
      media: [
        { id: 3, state: 'created', fileKey: null, thumbnails: [] },
        { id: 2, state: 'failed', fileKey: null, thumbnails: [] },
        {
          id: 1,
          fileKey: 'files/aa/Näh e.png',
          controlImageKey: 'files/bb/control.png',
          width: 4000,
          createdAt: new Date('2026-11-21T10:00:00.123Z'),
          thumbnails: [
            { key: 'files/cc/thumbnail-320.webp', width: 320, height: 200 },
            { key: 'files/dd/thumbnail-1024.webp', width: 1024, height: 640 },
          ],
        },
      ],
    });
  });

  it('in which submissions share a job of a vendor has it for the first, and the others are closed', async () => {
    const { pool } = await open('2026-11-22-next-jobs');
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
