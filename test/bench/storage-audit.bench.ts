import { join } from 'node:path';
import { PostgresStorageRecords } from '#adapters/postgres';
import { StorageReconciliation } from '#files';
import { ManualClock } from '#testing/kernel';
import { writePlainObjects } from '../support/plain-objects.ts';
import { onBenchDatabase } from './bench-database.ts';
import { megabytes, memoryGrowth } from './measure.ts';

const OBJECTS = Number(process.env.OBJECTS ?? 200_000);
const STRAY = 100;
const MOST_GROWTH = 50e6;

/** How fast `storage audit` compares objects and records, and whether its memory depends on how many there are. */
await onBenchDatabase(async ({ database, query, newUser, folder, storage }) => {
  await newUser();
  const clock = new ManualClock(new Date(Date.now() + 2 * 86_400_000));
  const audit = new StorageReconciliation(storage(clock), new PostgresStorageRecords(database), clock);
  const add = async (from: number, to: number): Promise<void> => {
    const keys = Array.from({ length: to - from }, (_, index) => `files/t${from + index}/a.png`);
    for (let at = 0; at < keys.length; at += 10_000) {
      await writePlainObjects(join(folder, 'files'), keys.slice(at, at + 10_000));
    }
    await query(
      `insert into files (workspace_id, origin, key, filename, size, content_type, created_at)
       select 1, 'import', 'files/t' || n || '/a.png', 'a.png', 1, 'image/png', now()
       from generate_series($1::integer, $2::integer - 1) n`,
      [from, to - STRAY],
    );
    await query('analyze files');
  };

  await add(0, OBJECTS / 10);
  const few = await measured(audit);
  await add(OBJECTS / 10, OBJECTS);
  const all = await measured(audit);
  console.log(`${OBJECTS / 10} objects: ${few.perSecond}/s, memory grows by ${megabytes(few.growth)}`);
  console.log(`${OBJECTS} objects: ${all.perSecond}/s, memory grows by ${megabytes(all.growth)}`);
  console.log(`${all.stray} objects without a record were found, ${all.lost} records without an object`);
  if (all.growth - few.growth > MOST_GROWTH || all.stray !== 2 * STRAY || all.lost !== 0) process.exitCode = 1;
});

async function measured(audit: StorageReconciliation) {
  let milliseconds = 0;
  const { result, growth } = await memoryGrowth(async () => {
    const started = performance.now();
    const found = await audit.run({ fix: false });
    milliseconds = performance.now() - started;
    return found;
  });
  const perSecond = Math.round((result.objects / milliseconds) * 1000);
  return { perSecond, growth, stray: result.strayObjects, lost: result.lostFiles };
}
