import {
  PostgresAudit,
  PostgresAuditLog,
  PostgresBoardViews,
  PostgresCreditViews,
  PostgresFileRecords,
  PostgresGenerationViews,
  PostgresOperatorViews,
  PostgresTrash,
} from '#adapters/postgres';
import type { Month } from '#credits';
import { onBenchDatabase, sweepOn, type BenchDatabase } from './bench-database.ts';
import { median, timed } from './measure.ts';

/**
 * Rows in all, of files, generations, their outputs and credit entries; a tenth as many of boards and a twentieth as many
 * of the audit log come with them.
 */
const ROWS = Number(process.env.ROWS ?? 20_000_000);
/** A hundredth of them, a tenth, all. */
const SIZES = [ROWS / 100, ROWS / 10, ROWS].map(sizeOf);
const TIMES = 11;
const FLAT = 1.2;
const MEDIA_EACH = 200;
const FOLDERS_EACH = 20;
const PAGE = { limit: 50, after: null };
const MONTH = new Date().toISOString().slice(0, 7);

interface Size {
  readonly rows: number;
  readonly generations: number;
  /** The first has a twentieth of everything; the others share the rest, each as much at all sizes. */
  readonly workspaces: number;
  readonly boards: number;
}

function sizeOf(rows: number): Size {
  const generations = Math.ceil(rows / 5);
  return {
    rows,
    generations,
    workspaces: Math.max(20, Math.round(rows / 10_000)),
    boards: 20 * Math.ceil(rows / 40_000),
  };
}

/** Makes fewer checkpoints. */
const FILLING = [`max_wal_size = '8GB'`, `checkpoint_timeout = '1h'`, 'full_page_writes = off'];

/** Indexes that no constraint needs: to build them afterwards takes a fraction of the time. */
const INDEXES = `
  select indexname as name, indexdef as definition from pg_indexes
  where tablename in ('files', 'generations', 'generation_outputs', 'credit_entries')
    and indexname not in (select conname from pg_constraint)`;

/**
 * How long the reads take that a large installation feels first, with 1, 10 and 100 times the rows. `ROWS=1000000` makes
 * the largest smaller.
 */
const times: Record<string, number[]> = {};
for (const size of SIZES) {
  await onBenchDatabase(async (bench) => {
    const seconds = (await timed(() => fill(bench, size))) / 1000;
    const [disk] = await bench.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
    console.log(`${size.rows} rows, ${(disk!.bytes / 1e9).toFixed(1)} GB, filled in ${seconds.toFixed(0)} s`);
    for (const [name, read] of Object.entries(allReads(bench, size))) (times[name] ??= []).push(await measure(read));
  });
}
const changed = Object.values(times).some((each) => each.at(-1)! > FLAT * each[0]!);
console.log(`median ms with 1, 10 and 100 times the rows${changed ? `; * grows by more than ${FLAT}` : ''}`);
for (const [name, each] of Object.entries(times)) {
  const columns = each.map((ms) => ms.toFixed(1).padStart(9)).join('');
  console.log(`${each.at(-1)! > FLAT * each[0]! ? '*' : ' '} ${name.padEnd(60)}${columns}`);
}

function allReads(bench: BenchDatabase, size: Size): Record<string, () => Promise<unknown>> {
  const { database } = bench;
  const ofWorkspaces = ['the largest workspace', 'an average workspace'].flatMap((of, index) =>
    Object.entries(reads(bench, index + 1, size)).map(([name, read]) => [`${name}, ${of}`, read] as const),
  );
  return {
    ...Object.fromEntries(ofWorkspaces),
    'one board': () => new PostgresBoardViews(database).board(1, size.boards),
    'sweep of files, nothing due': () => sweepOn(bench, bench.storage()).sweep(),
    'sums of the storage': () => new PostgresOperatorViews(database).storage(),
    audit: () => new PostgresAudit(database).findings(),
  };
}

function reads({ database }: BenchDatabase, workspace: number, size: Size): Record<string, () => Promise<unknown>> {
  const files = new PostgresFileRecords(database);
  const generations = new PostgresGenerationViews(database);
  const auditLog = new PostgresAuditLog(database);
  const middle = { ...PAGE, after: size.generations };
  return {
    boards: () => new PostgresBoardViews(database).boards(workspace, PAGE),
    trash: () => new PostgresTrash(database).list(workspace, new Date(), PAGE),
    'files of a persona': () => files.list(workspace, workspace, PAGE, new Date()),
    'files of a persona, from the middle': () => files.list(workspace, workspace, middle, new Date()),
    'its temporary files, which are rare': () => files.list(workspace, workspace, PAGE, new Date(), true),
    generations: () => generations.list(workspace, PAGE),
    'generations that failed': () => generations.list(workspace, PAGE, { state: 'failed' }),
    'generations of a user who made few': () => generations.list(workspace, PAGE, { userId: 2 }),
    'page of a persona, with a count': () => generations.listForPersona(workspace, workspace, 20),
    'audit log': () => auditLog.page(workspace, {}, PAGE),
    'rare action of the audit log': () => auditLog.page(workspace, { action: 'team.create' }, PAGE),
    'usage of a month by day and model': () =>
      new PostgresCreditViews(database).usage(workspace, MONTH as Month, ['day', 'model'], { userId: null }),
  };
}

/** @returns the median, in ms */
async function measure(read: () => Promise<unknown>): Promise<number> {
  const first = await timed(read);
  // A call that takes minutes is not repeated.
  if (first > 10_000) return first;
  const each: number[] = [];
  for (let time = 0; time < TIMES; time++) each.push(await timed(read));
  return median(each);
}

/** Rows of a workspace are spread over its tables, as they are where many are used at once. */
async function fill({ newUser, pool, query }: BenchDatabase, size: Size): Promise<void> {
  const { generations, workspaces, boards } = size;
  await newUser();
  await newUserNamed(query, 'few@example.com');
  const workspace = (n: string) => `case when ${n} % 20 = 0 then 1 else 2 + ${n} * 7919 % ${workspaces - 1} end`;
  const time = `now() - interval '1 year' * (1 - n::double precision / ${generations})`;
  const statements = [
    `insert into workspaces (kind, plan, created_at) select 'team', 'free', now() from generate_series(2, ${workspaces})`,
    `insert into personas (workspace_id, created_by, name, created_at, updated_at)
     select n, 1, 'Ada', now(), now() from generate_series(1, ${workspaces}) n`,
    // The files with even numbers are outputs.
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at, expires_at)
     select owner, owner, case k % 2 when 0 then 'output' else 'upload' end,
       'files/' || lpad(k::text, 32, '0') || '/photo.webp', 'photo.webp', 500000, 'image/webp', now(),
       case when k % 40001 = 0 then now() + interval '1 day' end
     from (select k, ${workspace('(k / 2)')} as owner from generate_series(1::bigint, ${2 * generations}) k) files`,
    `insert into generations (workspace_id, user_id, persona_id, model, kind, state, prompt, parameters, cost, attempt,
       created_at, started_at, finished_at)
     select owner, case when n % 100000 = 0 then 2 else 1 end, owner, 'model-' || n % 7, 'image',
       case when n % 1000 = 0 then 'failed' else 'succeeded' end, repeat('a lighthouse at dusk ', 5), '{"seed":1}', 4, 1,
       ${time}, ${time}, ${time}
     from (select n, ${workspace('n')} as owner from generate_series(1::bigint, ${generations}) n) generations`,
    `insert into generation_outputs (generation_id, position, file_id, content_type, width, height)
     select n, 0, 2 * n, 'image/webp', 1024, 1024 from generate_series(1::bigint, ${generations}) n`,
    `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
     select 'reserve:' || n, ${workspace('n')}, 1, n, date_trunc('month', ${time})::date, 'reserve', 4, ${time}
     from generate_series(1::bigint, ${generations}) n`,
    `insert into boards (workspace_id, created_by, name, folders_count, media_count, created_at)
     select ${workspace('n')}, 1, 'Board', ${FOLDERS_EACH}, ${MEDIA_EACH}, now() from generate_series(1::bigint, ${boards}) n`,
    `insert into folders (board_id, name, created_at)
     select id, 'Folder', now() from boards, generate_series(1, ${FOLDERS_EACH})`,
    `insert into media (board_id, created_by, file_key, state, content_type, created_at)
     select id, 1, 'files/' || md5(n::text) || '/photo.jpg', 'processed', 'image/jpeg', now()
     from boards, generate_series(1, ${MEDIA_EACH}) n`,
    `insert into audit_log (workspace_id, at, actor, user_id, via, action, target_type, target_id, details)
     select ${workspace('n')}, ${time}, 'user', n % 200, 'session',
       case when n % 100000 = 1 then 'team.create' else 'board.delete' end, 'board', n, '{}'
     from generate_series(1::bigint, ${Math.ceil(generations / 4)}) n`,
    `insert into trash (workspace_id, kind, item_id, deleted_by, deleted_at, expires_at)
     select workspace_id, 'media', board_id, 1, now(), now() + interval '30 days' from media
     join boards on boards.id = board_id where media.id % 20 = 0`,
  ];
  const client = await pool.connect();
  try {
    // Checks of references would take most of the time.
    await client.query('set session_replication_role = replica');
    for (const setting of FILLING) await client.query(`alter system set ${setting}`);
    await client.query('select pg_reload_conf()');
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES);
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    for (const statement of statements) await client.query(statement);
    await client.query(`set maintenance_work_mem = '256MB'`);
    for (const { definition } of indexes) await client.query(definition);
    await client.query('vacuum analyze');
  } finally {
    client.release(true);
  }
}

async function newUserNamed(query: BenchDatabase['query'], email: string): Promise<void> {
  await query('insert into users (email, created_at) values ($1, now())', [email]);
}
