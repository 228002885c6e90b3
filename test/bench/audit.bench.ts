import { PostgresAudit } from '#adapters/postgres';
import { onBenchDatabase, type BenchDatabase } from './bench-database.ts';
import { megabytes, timed } from './measure.ts';

/** Rows in all, of every kind that the audit looks at. */
const ROWS = Number(process.env.ROWS ?? 1_000_000);
const MAX_SECONDS = 60;
const MAX_MEMORY = 200e6;

/** How long the audit takes on so many rows, and how much memory it takes. */
await onBenchDatabase(async (bench) => {
  await bench.newUser();
  await fill(bench, Math.ceil(ROWS / 10));
  let findings: readonly unknown[] = [];
  const seconds = (await timed(async () => (findings = await new PostgresAudit(bench.database).findings()))) / 1000;
  const memory = process.memoryUsage().rss;
  console.log(`${ROWS} rows audited in ${seconds.toFixed(1)} s, ${megabytes(memory)} resident`);
  for (const finding of findings) console.log(JSON.stringify(finding));
  if (seconds > MAX_SECONDS || memory > MAX_MEMORY || findings.length > 0) process.exitCode = 1;
});

/** Ten rows for each of `count`. */
async function fill({ query }: BenchDatabase, count: number): Promise<void> {
  await query(
    `insert into personas (workspace_id, created_by, name, created_at, updated_at) values (1, 1, 'Ada', now(), now())`,
  );
  const statements = [
    `insert into files (workspace_id, persona_id, origin, key, filename, size, content_type, created_at)
     select 1, 1, case when n <= $1 then 'output' else 'upload' end, 'files/' || n || '/a.png', 'a.png', 1,
       'image/png', now() - interval '1 day' from generate_series(1, 2 * $1::integer) n`,
    `insert into uploads
       (workspace_id, user_id, persona_id, token, filename, state, file_id, created_at, expires_at)
     select 1, 1, 1, n, 'a.png', 'finalized', n, now(), now() from generate_series($1::integer + 1, 2 * $1::integer) n`,
    `insert into generations (workspace_id, user_id, persona_id, model, kind, state, parameters, cost, created_at)
     select 1, 1, 1, 'bench', 'image', 'succeeded', '{}', 1, now() from generate_series(1, $1::integer)`,
    `insert into generation_outputs (generation_id, position, file_id, content_type, width, height)
     select n, 0, n, 'image/png', 1, 1 from generate_series(1, $1::integer) n`,
    `insert into credit_entries (key, workspace_id, user_id, generation_id, month, kind, amount, created_at)
     select 'reserve:' || n, 1, 1, n, date '2026-03-01', 'reserve', 1, now() from generate_series(1, $1::integer) n
     union all
     select 'end:' || n, 1, 1, n, '2026-03-01', 'settle', 0, now() from generate_series(1, $1::integer) n`,
    `insert into credit_months (workspace_id, month, used) values (1, '2026-03-01', $1)`,
    `insert into credit_usage (workspace_id, month, user_id, used, generations) values (1, '2026-03-01', 1, $1, $1::integer)`,
    `insert into boards (workspace_id, created_by, name, folders_count, media_count, created_at)
     values (1, 1, 'Board', $1, $1::integer, now())`,
    `insert into folders (board_id, parent_id, name, created_at)
     select 1, case when n % 50 = 1 then null else n - 1 end, 'folder', now() from generate_series(1, $1::integer) n`,
    `insert into media (board_id, folder_id, created_by, state, created_at)
     select 1, n, 1, 'processed', now() from generate_series(1, $1::integer) n`,
    `insert into media_files (media_id, file_id) select n, n from generate_series(1, $1::integer) n`,
  ];
  for (const statement of statements) await query(statement, [count]);
  await query('analyze');
}
