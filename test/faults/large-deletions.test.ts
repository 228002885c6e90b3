/** @tier timings, 40 s */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { connectPostgres, type PostgresConnection } from '#adapters/postgres';
import { eventually } from '../support/eventually.ts';
import { writePlainObjects } from '../support/plain-objects.ts';
import { aftermath } from './rig/aftermath.ts';
import { Chance } from './rig/chance.ts';
import { Client } from './rig/client.ts';
import { Stage } from './rig/stage.ts';
import { sqlOn, type Sql } from '../support/database.ts';

/** `FOLDERS=10000 MEDIA=50000 FILES=10000 npm run test:faults` is the long run. */
const FOLDERS = Number(process.env.FOLDERS ?? 200);
const MEDIA = Number(process.env.MEDIA ?? 1_500);
const FILES = Number(process.env.FILES ?? 300);
const SWEPT_WITHIN_SECONDS = 60;

jest.setTimeout(900_000);

let stage: Stage;
let connection: PostgresConnection;
let sql: Sql;
let client: Client;
beforeAll(async () => {
  stage = await Stage.open();
  connection = await connectPostgres(stage.databaseUrl, { poolSize: 2 });
  sql = sqlOn(connection.database);
  client = new Client([stage.baseUrl], await stage.token());
}, 180_000);
afterAll(async () => {
  await connection.close();
  await stage.close();
});

it('deletes temporary files within a minute of their time, and no other', async () => {
  const { body } = await client.call('POST', '/v2/personas', { form: { name: 'Ada' }, key: 'ada' });
  const keys = await sql.query<{ key: string }>(
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at, expires_at)
     select p.workspace_id, p.id, 'upload', 'files/swept' || n || '/a.png', 'a.png', 1, 'image/png', now(),
       case when n % 2 = 0 then now() + interval '12 hours' end
     from personas p, generate_series(1, 2 * $2::integer) n where p.id = $1
     returning key`,
    [body.persona.id, FILES],
  );
  await write(keys);
  // As if their time had passed.
  await sql.query(`update files set expires_at = now() where expires_at is not null`);
  const due = Date.now();
  await untilNone('select count(*) from files where expires_at is not null');
  await untilNone('select count(*) from discarded_objects where due_at <= now()');
  const seconds = (Date.now() - due) / 1000;
  process.stderr.write(`${FILES} of ${2 * FILES} files gone ${seconds} s after their time\n`);
  expect(seconds).toBeLessThan(SWEPT_WITHIN_SECONDS);
  expect((await client.read(`${stage.baseUrl}/files/swept2/a.png`)).status).toBe(404);
  expect((await client.read(`${stage.baseUrl}/files/swept1/a.png`)).status).toBe(200);
  const after = await aftermath(stage);
  expect([after.permanent, after.storage]).toEqual([
    FILES,
    expect.objectContaining({ objects: FILES, strayObjects: 0, lostFiles: 0 }),
  ]);
});

it('leaves nothing of a large board, whichever process is killed during the deletion', async () => {
  const { body } = await client.call('POST', '/boards', { form: { name: 'Large' }, key: 'large' });
  const board = body.board.id as number;
  await fill(board);
  const before = await aftermath(stage);
  const { body: deletion } = await client.call('DELETE', `/boards/${board}`);
  expect(deletion.deleted).toEqual({ folders: FOLDERS, media: MEDIA });
  const started = Date.now();

  const chance = new Chance(1);
  const killed = async (query: string, all: number) => {
    await until(async () => (await count(query)) < all);
    const left = await count(query);
    for (let kills = 0; kills < 3; kills++) await stage.faults['kill worker'](chance);
    await untilNone(query);
    return left;
  };
  const left = await killed(`select count(*) from files where origin = 'import' and deletion_id is null`, MEDIA);
  await untilNone('select count(*) from discarded_objects where due_at <= now()');
  const seconds = (Date.now() - started) / 1000;
  process.stderr.write(`the files of ${MEDIA} media gone in ${seconds} s, killed with ${left} left\n`);

  const after = await aftermath(stage);
  expect(after.findings).toEqual([]);
  // Their bytes are kept, where nobody can read them.
  expect(after.storage).toMatchObject({ objects: before.storage.objects, strayObjects: 0, lostFiles: 0 });
  expect((await client.read(`${stage.baseUrl}/files/media1/a.png`)).status).toBe(404);

  const { body: listed } = await client.call('GET', '/v2/trash');
  expect((await client.call('DELETE', `/v2/trash/${listed.trash[0].id}`)).status).toBe(200);
  await killed('select count(*) from media', MEDIA);
  await untilNone('select count(*) from boards');
  await untilNone(`select count(*) from files where origin = 'import'`);
  await untilNone('select count(*) from discarded_objects');
  const end = await aftermath(stage);
  expect(end.findings).toEqual([]);
  expect(end.storage).toMatchObject({ objects: before.storage.objects - MEDIA, strayObjects: 0, lostFiles: 0 });
});

/** Each medium has a picture of its own. */
async function fill(board: number): Promise<void> {
  await sql.query(
    `insert into folders (board_id, name, created_at) select $1, 'Folder', now() from generate_series(1, $2)`,
    [board, FOLDERS],
  );
  const keys = await sql.query<{ key: string }>(
    `with added as (
       insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
       select workspace_id, 'import', 'files/media' || n || '/a.png', 'a.png', 1, 'image/png', now()
       from boards, generate_series(1, $2::integer) n where boards.id = $1
       returning id, key
     ), media as (
       insert into media (board_id, folder_id, created_by, state, created_at)
       select $1, (select min(id) from folders where board_id = $1) + n % $3::integer, created_by, 'processed', now()
       from boards, generate_series(1, $2) n where boards.id = $1
       returning id
     ), pairs as (
       insert into media_files (media_id, file_id)
       select m.id, f.id
       from (select id, row_number() over () as n from media) m
       join (select id, row_number() over () as n from added) f using (n)
     )
     select key from added`,
    [board, MEDIA, FOLDERS],
  );
  await sql.query('update boards set folders_count = $2, media_count = $3 where id = $1', [board, FOLDERS, MEDIA]);
  await write(keys);
}

function write(keys: readonly { readonly key: string }[]): Promise<void> {
  const names = keys.map(({ key }) => key);
  return writePlainObjects(join(stage.folder, 'files'), names);
}

async function count(query: string): Promise<number> {
  return (await sql.one<{ count: number }>(query))!.count;
}

const until = (probe: () => Promise<boolean>) => eventually(probe, { everyMs: 100 });
const untilNone = (query: string) => until(async () => (await count(query)) === 0);
