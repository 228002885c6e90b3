import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PostgresAccounts, PostgresStorageRecords } from '#adapters/postgres';
import { DiskObjectStorage } from '#adapters/storage';
import { emailOf } from '#identity';
import { ManualClock } from '#testing/kernel';
import { StorageReconciliation } from '#files';
import { writePlainObjects } from '../support/plain-objects.ts';
import { onBenchDatabase } from './bench-database.ts';
import { sqlOn } from '../support/database.ts';

const OBJECTS = Number(process.env.OBJECTS ?? 200_000);
const STRAY = 100;
const MOST_GROWTH = 50e6;

/** How fast `storage audit` compares objects and records, and whether its memory depends on how many there are. */
const root = await mkdtemp(join(tmpdir(), 'x12-storage-audit-'));
try {
  await onBenchDatabase(async ({ database }) => {
    await new PostgresAccounts(database).open({
      email: emailOf('bench@example.com'),
      name: null,
      passwordHash: null,
      plan: 'free',
      openedAt: new Date(),
    });
    const clock = new ManualClock(new Date(Date.now() + 2 * 86_400_000));
    const storage = new DiskObjectStorage({ root, publicUrl: 'http://localhost', secret: 'x'.repeat(32), clock });
    const audit = new StorageReconciliation(storage, new PostgresStorageRecords(database), clock);
    const add = async (from: number, to: number): Promise<void> => {
      const keys = Array.from({ length: to - from }, (_, index) => `files/t${from + index}/a.png`);
      for (let at = 0; at < keys.length; at += 10_000) {
        await writePlainObjects(root, keys.slice(at, at + 10_000));
      }
      await sqlOn(database).query(
        `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
         select 1, 'import', 'files/t' || n || '/a.png', 'a.png', 1, 'image/png', now()
         from generate_series($1::integer, $2::integer - 1) n`,
        [from, to - STRAY],
      );
      await sqlOn(database).query('analyze files');
    };

    await add(0, OBJECTS / 10);
    const few = await measured(audit);
    await add(OBJECTS / 10, OBJECTS);
    const all = await measured(audit);
    console.log(`${OBJECTS / 10} objects: ${few.perSecond}/s, memory grows by ${megabytes(few.growth)} MB`);
    console.log(`${OBJECTS} objects: ${all.perSecond}/s, memory grows by ${megabytes(all.growth)} MB`);
    console.log(`${all.stray} objects without a record were found, ${all.lost} records without an object`);
    if (all.growth - few.growth > MOST_GROWTH || all.stray !== 2 * STRAY || all.lost !== 0) process.exitCode = 1;
  });
} finally {
  await rm(root, { recursive: true });
}

async function measured(
  audit: StorageReconciliation,
): Promise<{ perSecond: number; growth: number; stray: number; lost: number }> {
  // What filling has left behind is none of the audit's.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as NodeJS.GCFunction)({ type: 'major', flavor: 'last-resort', execution: 'sync' });
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 50);
  const started = performance.now();
  const { objects, strayObjects, lostFiles } = await audit.run({ fix: false });
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  return { perSecond: Math.round(objects / seconds), growth: peak - before, stray: strayObjects, lost: lostFiles };
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
