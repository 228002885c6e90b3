import {
  PostgresCreditViews,
  PostgresFileRecords,
  PostgresGenerationViews,
  PostgresOperatorViews,
} from '#adapters/postgres';
import type { Month } from '#credits';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { median, timed } from './measure.ts';

/** Rows in all: files, generations, their outputs and credit entries. */
const ROWS = Number(process.env.ROWS ?? 20_000_000);
const GENERATIONS = Math.ceil(ROWS / 5);
/** The first workspace has a twentieth of everything; the others share the rest. */
const WORKSPACES = Math.max(20, Math.round(ROWS / 10_000));
const TIMES = 5;
const PAGE = { limit: 50, after: null };
const MONTH = new Date().toISOString().slice(0, 7);

/** Makes fewer checkpoints. */
const FILLING = [`max_wal_size = '8GB'`, `checkpoint_timeout = '1h'`, 'full_page_writes = off'];

/** Those that no constraint needs: to build them afterwards takes a fraction of the time. */
const INDEXES = `
  select indexname as name, indexdef as definition from pg_indexes
  where tablename in ('files', 'generations', 'generation_outputs', 'credit_entries')
    and indexname not in (select conname from pg_constraint)`;

/** How long the reads take that a large installation feels first. `ROWS=1000000` makes it smaller. */
await onBenchDatabase(async (bench) => {
  const seconds = (await timed(() => fill(bench))) / 1000;
  const [size] = await bench.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes');
  console.log(`${ROWS} rows, ${(size!.bytes / 1e9).toFixed(1)} GB, filled in ${seconds.toFixed(0)} s`);
  for (const workspace of [1, 2]) {
    console.log(workspace === 1 ? 'the largest workspace' : 'an average workspace');
    for (const [name, read] of Object.entries(reads(bench, workspace))) await measure(name, read);
  }
  console.log('the operator');
  await measure('sums of the storage', () => new PostgresOperatorViews(bench.database).storage());
});

function reads({ database }: BenchDatabase, workspace: number): Record<string, () => Promise<unknown>> {
  const files = new PostgresFileRecords(database);
  const generations = new PostgresGenerationViews(database);
  const middle = { ...PAGE, after: GENERATIONS };
  return {
    'files of a persona': () => files.list(workspace, workspace, PAGE, new Date()),
    'files of a persona, from the middle': () => files.list(workspace, workspace, middle, new Date()),
    'its temporary files, which are rare': () => files.list(workspace, workspace, PAGE, new Date(), true),
    generations: () => generations.list(workspace, PAGE),
    'generations that failed': () => generations.list(workspace, PAGE, { state: 'failed' }),
    'generations of a user who made few': () => generations.list(workspace, PAGE, { userId: 2 }),
    'page of a persona, with a count': () => generations.ofPersona(workspace, workspace, 20),
    'usage of a month by day and model': () =>
      new PostgresCreditViews(database).usage(workspace, MONTH as Month, ['day', 'model'], null),
  };
}

async function measure(name: string, read: () => Promise<unknown>): Promise<void> {
  const first = await timed(read);
  const times: number[] = [];
  for (let time = 0; time < TIMES; time++) times.push(await timed(read));
  console.log(`  ${name}: ${median(times).toFixed(1)} ms, the first time ${first.toFixed(1)} ms`);
}

/** Rows of a workspace are spread over its tables, as they are where many are used at once. */
async function fill({ newUser, pool, query }: BenchDatabase): Promise<void> {
  await newUser();
  await newUserNamed(query, 'few@example.com');
  const workspace = (n: string) => `case when ${n} % 20 = 0 then 1 else 2 + ${n} * 7919 % ${WORKSPACES - 1} end`;
  const time = `now() - interval '1 year' * (1 - n::double precision / ${GENERATIONS})`;
  const statements = [
    `insert into workspaces (kind, plan, created_at) select 'team', 'free', now() from generate_series(2, ${WORKSPACES})`,
    `insert into personas (workspace_id, created_by, name, created_at, updated_at)
     select n, 1, 'Ada', now(), now() from generate_series(1, ${WORKSPACES}) n`,
    // The files with even numbers are outputs.
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at, expires_at)
     select owner, owner, case k % 2 when 0 then 'output' else 'upload' end,
       'files/' || lpad(k::text, 32, '0') || '/photo.webp', 'photo.webp', 500000, 'image/webp', now(),
       case when k % 40001 = 0 then now() + interval '1 day' end
     from (select k, ${workspace('(k / 2)')} as owner from generate_series(1::bigint, ${2 * GENERATIONS}) k) files`,
    `insert into generations (workspace_id, user_id, persona_id, model, kind, state, prompt, parameters, cost, attempt,
       created_at, started_at, finished_at)
     select owner, case when n % 100000 = 0 then 2 else 1 end, owner, 'model-' || n % 7, 'image',
       case when n % 1000 = 0 then 'failed' else 'succeeded' end, repeat('a lighthouse at dusk ', 5), '{"seed":1}', 4, 1,
       ${time}, ${time}, ${time}
     from (select n, ${workspace('n')} as owner from generate_series(1::bigint, ${GENERATIONS}) n) generations`,
    `insert into generation_outputs (generation_id, position, file_id, content_type, width, height)
     select n, 0, 2 * n, 'image/webp', 1024, 1024 from generate_series(1::bigint, ${GENERATIONS}) n`,
    `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
     select 'reserve:' || n, ${workspace('n')}, 1, n, date_trunc('month', ${time})::date, 'reserve', 4, ${time}
     from generate_series(1::bigint, ${GENERATIONS}) n`,
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
