import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PostgresAccounts,
  PostgresDiscardedFiles,
  PostgresUnitOfWork,
  PostgresUploadRecords,
  type Database,
} from '#adapters/postgres';
import { DiskObjectStorage } from '#adapters/storage';
import { emailOf } from '#identity';
import { systemClock } from '#kernel';
import { FileDeletion, FileSweep } from '#files';
import { writePlainObjects } from '../support/plain-objects.ts';
import { onBenchDatabase } from './bench-database.ts';
import { sqlOn } from '../support/database.ts';

const DUE = Number(process.env.DUE ?? 100_000);
const ALL = Number(process.env.ALL ?? 2_000_000);
const MOST_IDLE_MS = 10;
const LEAST_SHARE = 0.5;
const MOST_GROWTH = 50e6;

/** What a sweep costs: with nothing due, and with much due, against the bare store. */
const root = await mkdtemp(join(tmpdir(), 'x12-sweep-'));
try {
  await onBenchDatabase(async ({ database }) => {
    const storage = new DiskObjectStorage({
      root,
      publicUrl: 'http://localhost',
      secret: 'x'.repeat(32),
      clock: systemClock,
    });
    const sweep = sweepOn(database, storage);
    await fill(database);

    await sweep.run();
    const idle: number[] = [];
    for (let count = 0; count < 21; count++) idle.push(await seconds(() => sweep.run()));
    idle.sort((a, b) => a - b);
    const idleMs = idle[10]! * 1000;
    console.log(`nothing due among ${ALL}: ${idleMs.toFixed(1)} ms`);

    const bare = Array.from({ length: DUE }, (_, n) => `files/bare${n}/a.png`);
    await writePlainObjects(root, bare);
    const bareSeconds = await seconds(async () => {
      for (let from = 0; from < bare.length; from += 1000) await storage.delete(bare.slice(from, from + 1000));
    });

    await writePlainObjects(
      root,
      Array.from({ length: DUE }, (_, n) => `files/t${n + 1}/x12tmp-a.png`),
    );
    await sqlOn(database).query(`update files set expires_at = now() where id <= $1`, [DUE]);
    await sqlOn(database).query('vacuum analyze files');
    global.gc?.();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
    const sweptSeconds = await seconds(() => sweep.run());
    clearInterval(watch);
    const left = await sqlOn(database).one<{ files: number; objects: number }>(
      `select (select count(*) from files) as files, (select count(*) from discarded_objects) as objects`,
    );

    const share = bareSeconds / sweptSeconds;
    console.log(`the bare store deletes ${(DUE / bareSeconds).toFixed(0)} objects/s`);
    console.log(`the sweep deletes ${(DUE / sweptSeconds).toFixed(0)} files/s: ${share.toFixed(2)} of that`);
    console.log(`memory grew by ${((peak - before) / 1e6).toFixed(0)} MB; left: ${JSON.stringify(left)}`);
    const isClean = left!.files === ALL - DUE && left!.objects === 0;
    if (idleMs > MOST_IDLE_MS || share < LEAST_SHARE || peak - before > MOST_GROWTH || !isClean) {
      process.exitCode = 1;
    }
  });
} finally {
  await rm(root, { recursive: true });
}

function sweepOn(database: Database, storage: DiskObjectStorage): FileSweep {
  const parts = {
    discarded: new PostgresDiscardedFiles(database),
    uploads: new PostgresUploadRecords(database),
    storage,
    jobs: { announce: async () => {} },
    unitOfWork: new PostgresUnitOfWork(database),
    clock: systemClock,
    batchSize: 1000,
  };
  return new FileSweep({ ...parts, deletion: new FileDeletion(parts) });
}

/** A tenth of all files are temporary, the others permanent; each has its upload. */
async function fill(database: Database): Promise<void> {
  await new PostgresAccounts(database).open({
    email: emailOf('bench@example.com'),
    name: null,
    passwordHash: null,
    plan: 'free',
    openedAt: new Date(),
  });
  await sqlOn(database).query(
    `insert into personas (workspace_id, created_by, name, created_at, updated_at) values (1, 1, 'Ada', now(), now())`,
  );
  await sqlOn(database).query(
    `insert into files
       (workspace_id, persona_id, origin, key, filename, size, content_type, created_at, expires_at)
     select 1, 1, 'upload', 'files/t' || n || '/x12tmp-a.png', 'x12tmp-a.png', 1, 'image/png', now(),
       case when n <= $1::integer / 10 then now() + interval '12 hours' end
     from generate_series(1, $1::integer) n`,
    [ALL],
  );
  await sqlOn(database).query(
    `insert into uploads
       (workspace_id, user_id, persona_id, token, filename, state, file_id, created_at, expires_at)
     select 1, 1, 1, 't' || id, filename, 'finalized', id, now(), now() from files`,
  );
  await sqlOn(database).query('vacuum analyze');
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
