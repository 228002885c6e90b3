import { join } from 'node:path';
import { writePlainObjects } from '../support/plain-objects.ts';
import { onBenchDatabase, sweepOn, type BenchDatabase } from './bench-database.ts';
import { load, median, megabytes, memoryGrowth, timed } from './measure.ts';

const DUE = Number(process.env.DUE ?? 100_000);
const ALL = Number(process.env.ALL ?? 2_000_000);
const MOST_IDLE_MS = 10;
const LEAST_SHARE = 0.5;
const MOST_GROWTH = 50e6;

/** What a sweep costs: with nothing due, and with much due, against the bare store. */
await onBenchDatabase(async (bench) => {
  const { query, one } = bench;
  const root = join(bench.folder, 'files');
  const storage = bench.storage();
  const sweep = sweepOn(bench, storage);
  await fill(bench);

  await sweep.sweep();
  const idleMs = median((await load({ callers: 1, times: 21 }, () => sweep.sweep())).latencies);
  console.log(`nothing due among ${ALL}: ${idleMs.toFixed(1)} ms`);

  const bare = Array.from({ length: DUE }, (_, n) => `files/bare${n}/a.png`);
  await writePlainObjects(root, bare);
  const bareMs = await timed(async () => {
    for (let from = 0; from < bare.length; from += 1000) await storage.delete(bare.slice(from, from + 1000));
  });

  const due = Array.from({ length: DUE }, (_, n) => `files/t${n + 1}/x12tmp-a.png`);
  await writePlainObjects(root, due);
  await query(`update files set expires_at = now() where id <= $1`, [DUE]);
  await query('vacuum analyze files');
  const { result: sweptMs, growth } = await memoryGrowth(() => timed(() => sweep.sweep()));
  const left = await one<{ files: number; objects: number }>(
    `select (select count(*) from files) as files, (select count(*) from discarded_objects) as objects`,
  );

  const share = bareMs / sweptMs;
  console.log(`the bare store deletes ${((DUE / bareMs) * 1000).toFixed(0)} objects/s`);
  console.log(`the sweep deletes ${((DUE / sweptMs) * 1000).toFixed(0)} files/s: ${share.toFixed(2)} of that`);
  console.log(`memory grew by ${megabytes(growth)}; left: ${JSON.stringify(left)}`);
  const isClean = left!.files === ALL - DUE && left!.objects === 0;
  if (idleMs > MOST_IDLE_MS || share < LEAST_SHARE || growth > MOST_GROWTH || !isClean) process.exitCode = 1;
});

/** A tenth of all files are temporary, the others permanent; each has its upload. */
async function fill({ query, newUser }: BenchDatabase): Promise<void> {
  await newUser();
  await query(
    `insert into personas (workspace_id, created_by, name, created_at, updated_at) values (1, 1, 'Ada', now(), now())`,
  );
  await query(
    `insert into files
       (workspace_id, persona_id, origin, key, filename, size, content_type, created_at, expires_at)
     select 1, 1, 'upload', 'files/t' || n || '/x12tmp-a.png', 'x12tmp-a.png', 1, 'image/png', now(),
       case when n <= $1::integer / 10 then now() + interval '12 hours' end
     from generate_series(1, $1::integer) n`,
    [ALL],
  );
  await query(
    `insert into uploads
       (workspace_id, user_id, persona_id, token, filename, state, file_id, created_at, expires_at)
     select 1, 1, 1, 't' || id, filename, 'finalized', id, now(), now() from files`,
  );
  await query('vacuum analyze');
}
