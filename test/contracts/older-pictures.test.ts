/** @tier test */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BASELINE,
  connectPostgres,
  migratePostgres,
  migrations,
  PostgresBoardViews,
  PostgresFileRecords,
  PostgresTrash,
  type PostgresConnection,
} from '#adapters/postgres';
import { NOTHING_SEEN } from '#files';
import { databaseUrl, onServer } from '../support/database-server.ts';

const SHAPE = '10'.repeat(32);
const small = (name: string, ...widths: number[]) =>
  JSON.stringify(widths.map((width) => ({ key: `files/${name}-${width}/a.webp`, width, height: width / 2 })));
const file = (id: number, name: string, contentType = 'image/webp', origin = 'output') =>
  `(${id}, 1, '${origin}', 'files/${name}/a.${contentType === 'image/webp' ? 'webp' : 'png'}', 'a', 1, '${contentType}',
    '2026-11-01')`;

/** Pictures as 0.2 leaves them: the same facts in the rows that refer to a file. */
const OF_0_2 = [
  `insert into users (id, email, created_at) overriding system value values (1, 'ada@example.com', now())`,
  `insert into workspaces (id, kind, plan, created_at) overriding system value values (1, 'personal', 'free', now())`,
  `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at)
   overriding system value values ${[
     file(1, 'output', 'image/png'),
     ...[file(2, 'output-320'), file(3, 'output-1024'), file(4, 'model', 'model/gltf-binary')],
     file(5, 'seen', 'image/png', 'upload'),
     file(6, 'unreadable', 'image/png', 'upload'),
     file(7, 'unseen', 'image/png', 'upload'),
     file(8, 'film', 'video/mp4', 'import'),
     ...[file(9, 'film-320', 'image/webp', 'import'), file(10, 'film-1024', 'image/webp', 'import')],
     file(11, 'again-320', 'image/webp', 'import'),
     file(12, 'control', 'image/png', 'import'),
     file(13, 'control-320', 'image/webp', 'import'),
     file(14, 'deleted', 'image/png', 'import'),
     file(15, 'deleted-320', 'image/webp', 'import'),
     file(16, 'own', 'image/png', 'upload'),
     file(17, 'own-320', 'image/webp', 'import'),
     ...[file(18, 'marked', 'image/webp', 'import'), file(19, 'marked-320', 'image/webp', 'import')],
   ].join()}`,
  // More files than a batch has, before the last of these.
  `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at) overriding system value
   select id, 1, 'import', 'files/filler-' || id || '/a.glb', 'a.glb', 1, 'model/gltf-binary', now()
   from generate_series(101, 2600) id`,
  `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at)
   overriding system value values ${[file(3001, 'late', 'image/png'), file(3002, 'late-320')].join()}`,
  `insert into generations (id, workspace_id, user_id, model, kind, state, parameters, cost, created_at)
   overriding system value values (1, 1, 1, 'm', 'image', 'succeeded', '{}', 1, now())`,
  `insert into generation_outputs (generation_id, position, file_id, content_type, width, height)
   values (1, 1, 1, 'image/png', 1600, 800), (1, 2, 4, 'model/gltf-binary', null, null), (1, 3, 3001, 'image/png', 640, 320)`,
  `insert into generation_thumbnails (generation_id, position, file_id, width, height)
   values (1, 1, 3, 1024, 512), (1, 1, 2, 320, 160), (1, 3, 3002, 320, 160)`,
  `insert into library_items
     (file_id, workspace_id, kind, origin, width, height, placeholder, colors, shape, words, look_due_at, created_at)
   values (1, 1, 'image', 'output', 1600, 800, 'OUT', '{1,2}', b'${SHAPE}', '', null, '2026-11-01'),
     (5, 1, 'image', 'upload', 64, 32, 'SEEN', '{3}', b'${SHAPE}', '', null, '2026-11-01'),
     (6, 1, 'image', 'upload', null, null, null, null, null, '', null, '2026-11-01'),
     (7, 1, 'image', 'upload', null, null, null, null, null, '', '2026-11-02', '2026-11-01'),
     (16, 1, 'image', 'upload', null, null, null, null, null, '', '2026-11-02', '2026-11-01')`,
  `insert into trash (id, workspace_id, kind, item_id, board_id, deleted_by, deleted_at, expires_at)
   overriding system value values (1, 1, 'media', 4, 1, 1, now(), now() + interval '9 days')`,
  `insert into boards (id, workspace_id, created_by, name, created_at) overriding system value
   values (1, 1, 1, 'Board', now())`,
  `insert into media (id, board_id, created_by, state, file_key, control_image_key, content_type, width, height, duration,
     placeholder, thumbnails, created_at, deletion_id) overriding system value values
   (1, 1, 1, 'processed', 'files/film/a.png', null, 'video/mp4', 1920, 960, 7.5, 'FILM', '${small('film', 320, 1024)}', now(), null),
   (2, 1, 1, 'processed', 'files/output/a.png', null, 'image/png', 1600, 800, null, 'OUT', '${small('again', 320)}', now(), null),
   (3, 1, 1, 'processed', null, 'files/control/a.png', 'image/png', 640, 320, null, 'CTRL', '${small('control', 320)}', now(), null),
   (4, 1, 1, 'processed', 'files/deleted/a.png', null, 'image/png', 640, 320, null, 'GONE', '${small('deleted', 320)}', now(), 1),
   (5, 1, 1, 'processed', 'files/own/a.png', null, 'image/png', 640, 320, null, 'OWN', '${small('own', 320)}', now(), 1)`,
  `insert into media_files (media_id, file_id)
   values (1, 8), (1, 9), (1, 10), (2, 1), (2, 11), (3, 12), (3, 13), (4, 14), (4, 15), (5, 16), (5, 17)`,
  'update files set deletion_id = 1 where id in (14, 15, 17)',
  `insert into shares (id, workspace_id, created_by, hash, name, board_id, allow, watermark, created_at)
   overriding system value values (1, 1, 1, 'a', 'Board', 1, '{}', 'Draft', now())`,
  `insert into share_pictures (share_id, media_id, state, whole, thumbnails) values
   (1, 1, 'made', '{"key": "files/marked/a.webp", "width": 640, "height": 320}', '${small('marked', 320)}')`,
  'insert into share_picture_files (share_id, media_id, file_id) values (1, 1, 18), (1, 1, 19)',
];

const NOTHING = { width: null, height: null, duration: null, placeholder: null, widths: [], colors: null, due: false };
const THUMBNAIL = (of: number) => ({ ...NOTHING, of });
/** Expected rows of the files. */
const EXPECTED = {
  1: { ...NOTHING, width: 1600, height: 800, placeholder: 'OUT', widths: [320, 1024], colors: [1, 2], of: null },
  2: THUMBNAIL(1),
  3: THUMBNAIL(1),
  4: { ...NOTHING, of: null },
  // It was seen before thumbnails were made of uploads.
  5: { ...NOTHING, width: 64, height: 32, placeholder: 'SEEN', colors: [3], due: true, of: null },
  6: { ...NOTHING, of: null },
  7: { ...NOTHING, due: true, of: null },
  8: { ...NOTHING, width: 1920, height: 960, duration: 7.5, placeholder: 'FILM', widths: [320, 1024], of: null },
  9: THUMBNAIL(8),
  10: THUMBNAIL(8),
  // Thumbnail of the item on the board: the picture has its own.
  11: { ...NOTHING, of: null },
  12: { ...NOTHING, width: 640, height: 320, placeholder: 'CTRL', widths: [320], of: null },
  13: THUMBNAIL(12),
  14: { ...NOTHING, width: 640, height: 320, placeholder: 'GONE', widths: [320], of: null },
  15: THUMBNAIL(14),
  // An upload that is on no board any more: the thumbnails are in the trash with the item.
  16: { ...NOTHING, due: true, of: null },
  17: { ...NOTHING, of: null },
  // Picture with the watermark of a link.
  18: { ...NOTHING, width: 640, height: 320, widths: [320], of: null },
  19: THUMBNAIL(18),
  3001: { ...NOTHING, width: 640, height: 320, widths: [320], of: null },
  3002: THUMBNAIL(3001),
};

describe('the pictures of a database of 0.2', () => {
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
    await run(...OF_0_2);
  });
  afterEach(async () => {
    await connection.close();
    await onServer(server, `drop database ${name} with (force)`);
  });

  const run = async (...statements: readonly string[]) => {
    for (const statement of statements) await connection.pool.query(statement);
  };
  const rows = async (statement: string) => (await connection.pool.query(statement)).rows;
  const pictures = async (ids = 'id < 100 or id > 3000') => {
    const found = await rows(
      `select id, width, height, duration, placeholder, colors, picture_id, look_due_at is not null as due,
         array(select (each ->> 'width')::integer from jsonb_array_elements(thumbnails) each) as widths
       from files where ${ids} order by id`,
    );
    const entries = found.map(({ id, picture_id: of, ...facts }) => [id, { ...facts, of: of && Number(of) }]);
    return Object.fromEntries(entries);
  };
  async function again<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const other = await connectPostgres(url, { poolSize: 2 });
    try {
      return await work(other);
    } finally {
      await other.close();
    }
  }

  it('are taken from the rows that refer to them', async () => {
    await migratePostgres(connection, '0.3.0');
    expect(await pictures()).toEqual(EXPECTED);
  });

  it('are named by the prompt and the seed of their generation, else by their file', async () => {
    await run(`update generations set prompt = E' a red  fox\nin the snow at dawn', parameters = '{"seed": 42}'`);
    await migratePostgres(connection, '0.3.0');
    const names = await rows('select id, name from files where id in (1, 2, 4, 5, 3001) order by id');
    expect(names.map(({ name: each }) => each)).toEqual([
      'a red fox in the snow 42',
      ...[null, 'a red fox in the snow 42 (2)', null, 'a red fox in the snow 42 (3)'],
    ]);
  });

  it('are the same when the migration is stopped after each step, and goes on in another process', async () => {
    const steps = migrations.map((each) => each.name);
    for (const step of steps.slice(steps.indexOf('2026-11-29-pictures'))) {
      await again(({ orm }) => orm.migrator.up({ to: step }));
    }
    expect(await pictures()).toEqual(EXPECTED);
  });

  it('are the same when its process dies in each batch, which keeps what was committed before', async () => {
    await connection.orm.migrator.up({ to: '2026-11-29-picture-triggers' });
    for (const dying of [2, 3001]) {
      await run(
        `create or replace function die() returns trigger language plpgsql as $$
          begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`,
        `create trigger die before update on files for each row when (new.id = ${dying}) execute function die()`,
      );
      await expect(again((other) => migratePostgres(other, '0.3.0'))).rejects.toThrow();
      await run('drop trigger die on files');
      const made = await pictures();
      expect([made[1], made[3001]]).toEqual(
        dying === 2
          ? [
              { ...NOTHING, of: null },
              { ...NOTHING, of: null },
            ]
          : [EXPECTED[1], { ...NOTHING, of: null }],
      );
    }
    await again((other) => migratePostgres(other, '0.3.0'));
    expect(await pictures()).toEqual(EXPECTED);
  });

  it('do not wait for it: a picture can be read, added and deleted beside a batch', async () => {
    await connection.orm.migrator.up({ to: '2026-11-29-picture-triggers' });
    const holder = await connection.pool.connect();
    await holder.query('begin');
    await holder.query('select from files where id = 3001 for update');
    const migrating = again((other) => migratePostgres(other, '0.3.0'));
    const isHeld = async () =>
      (await rows(`select from pg_stat_activity where datname = '${name}' and wait_event_type = 'Lock'`)).length > 0;
    while (!(await isHeld()));
    await run(
      'select from files where id = 3002 for key share',
      `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at)
       overriding system value values ${file(4000, 'new', 'image/png')}`,
      'delete from files where id = 101',
    );
    await holder.query('commit');
    holder.release();
    await migrating;
    expect((await pictures())[3001]).toEqual(EXPECTED[3001]);
  });

  it('in the trash come back with their thumbnails, when the item is restored that shows them', async () => {
    await migratePostgres(connection, '0.3.0');
    await run('update boards set media_count = 3 where id = 1');
    const trash = new PostgresTrash(connection.database);
    const now = new Date();
    const entry = await trash.lock(1, 1, now);
    const restored = await connection.database.transaction(() => trash.restore(entry!, now));
    expect(restored.keys.toSorted()).toEqual([
      'files/deleted-320/a.webp',
      'files/deleted/a.png',
      'files/own-320/a.webp',
    ]);
    expect(await rows('select from files where deletion_id is not null')).toEqual([]);
    const board = await new PostgresBoardViews(connection.database).board(1, 1);
    expect(board!.media.find(({ id }) => id === 4)).toMatchObject({
      width: 640,
      placeholder: 'GONE',
      thumbnails: [{ width: 320 }],
    });
  });

  it('of a process of 0.2 that still runs are taken over as they are written', async () => {
    await migratePostgres(connection, '0.3.0');
    await run(
      `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at)
       overriding system value values ${[
         ...[file(4001, 'made', 'image/png'), file(4002, 'made-320'), file(4003, 'made-1024')],
         file(4004, 'uploaded', 'image/png', 'upload'),
         ...[file(4005, 'put', 'image/png', 'import'), file(4006, 'put-320', 'image/webp', 'import')],
       ].join()}`,
      `insert into generation_outputs (generation_id, position, file_id, content_type, width, height)
       values (1, 4, 4001, 'image/png', 1600, 800)`,
      `insert into generation_thumbnails (generation_id, position, file_id, width, height)
       values (1, 4, 4003, 1024, 512), (1, 4, 4002, 320, 160)`,
      `insert into library_items
         (file_id, workspace_id, kind, origin, placeholder, colors, shape, words, look_due_at, created_at)
       values (4001, 1, 'image', 'output', 'MADE', '{5}', b'${SHAPE}', '', null, now()),
         (4004, 1, 'image', 'upload', null, null, null, '', now(), now())`,
      `insert into media (id, board_id, created_by, state, source_url, created_at) overriding system value
       values (9, 1, 1, 'created', 'https://example.com/a.png', now())`,
      `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at)
       overriding system value values ${[file(4007, 'for-guests'), file(4008, 'for-guests-320')].join()}`,
      `insert into share_pictures (share_id, media_id) values (1, 2)`,
      `update share_pictures set state = 'made', thumbnails = '${small('for-guests', 320)}',
         whole = '{"key": "files/for-guests/a.webp", "width": 640, "height": 320}' where media_id = 2`,
      `update media set state = 'processed', file_key = 'files/put/a.png', content_type = 'image/png', width = 640,
         height = 320, placeholder = 'PUT', thumbnails = '${small('put', 320)}' where id = 9`,
    );
    expect(await pictures('id > 4000')).toEqual({
      4001: { ...NOTHING, width: 1600, height: 800, placeholder: 'MADE', widths: [320, 1024], colors: [5], of: null },
      4002: THUMBNAIL(4001),
      4003: THUMBNAIL(4001),
      4004: { ...NOTHING, due: true, of: null },
      4005: { ...NOTHING, width: 640, height: 320, placeholder: 'PUT', widths: [320], of: null },
      4006: THUMBNAIL(4005),
      4007: { ...NOTHING, width: 640, height: 320, widths: [320], of: null },
      4008: THUMBNAIL(4007),
    });
    await run(`update library_items set colors = '{7}', shape = b'${SHAPE}', placeholder = 'UP', look_due_at = null
      where file_id = 4004`);
    // It has no thumbnails yet.
    expect((await pictures('id = 4004'))[4004]).toMatchObject({ colors: [7], placeholder: 'UP', due: true });
  });

  it('are looked at again when 0.2 moves the thumbnails that they were given into the trash', async () => {
    await run('update media set deletion_id = null where id = 5', 'update files set deletion_id = null where id = 17');
    await migratePostgres(connection, '0.3.0');
    expect((await pictures())[16]).toMatchObject({ width: 640, widths: [320] });
    // Its processes do not know that the picture needs them.
    await run('update media set deletion_id = 1 where id = 5', 'update files set deletion_id = 1 where id = 17');
    expect(await pictures('id in (16, 17)')).toMatchObject({ 16: { widths: [], due: true }, 17: { of: null } });
  });

  it('of this version are seen by a process of 0.2 that still runs', async () => {
    await migratePostgres(connection, '0.3.0');
    const records = new PostgresFileRecords(connection.database);
    const look = { colors: [8], shape: SHAPE };
    await run(
      `insert into files (id, workspace_id, origin, key, filename, size, content_type, created_at)
       overriding system value values ${[file(4001, 'made', 'image/png'), file(4002, 'made-320')].join()}`,
      `insert into library_items (file_id, workspace_id, kind, origin, words, created_at)
       values (4001, 1, 'image', 'output', '', now())`,
    );
    const thumbnails = JSON.parse(small('made', 320));
    await records.saveSeen(4001, { ...NOTHING_SEEN, width: 640, height: 320, placeholder: 'NEW', look, thumbnails });
    await run(
      'insert into generation_outputs (generation_id, position, file_id) values (1, 4, 4001)',
      `insert into media (id, board_id, created_by, state, file_key, created_at) overriding system value
       values (9, 1, 1, 'processed', 'files/made/a.png', now())`,
    );
    await run(
      'insert into share_pictures (share_id, media_id) values (1, 9)',
      `update share_pictures set state = 'made', whole = '{"key": "files/made/a.png", "width": 640, "height": 320}'
       where media_id = 9`,
    );
    expect(await rows('select thumbnails from share_pictures where media_id = 9')).toEqual([{ thumbnails }]);
    expect(await rows('select content_type, width, height from generation_outputs where file_id = 4001')).toEqual([
      { content_type: 'image/png', width: 640, height: 320 },
    ]);
    expect(await rows('select width from generation_thumbnails where position = 4')).toEqual([{ width: 320 }]);
    expect(await rows('select content_type, width, placeholder, thumbnails from media where id = 9')).toEqual([
      { content_type: 'image/png', width: 640, placeholder: 'NEW', thumbnails },
    ]);
    expect(await rows('select width, placeholder, colors from library_items where file_id = 4001')).toEqual([
      { width: 640, placeholder: 'NEW', colors: [8] },
    ]);
  });
});
