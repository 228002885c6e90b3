import { systemClock } from '#kernel';
import { readSettings, type Settings } from '#config';
import { Tokens } from '#identity';
import { PostgresTokens, type PostgresConnection } from '#adapters/postgres';
import { RandomTokenSecrets } from '#adapters/secrets';
import { runTask } from '#process';
import { isIntact, readDemo, writeDemo } from './demo.ts';
import { migrateDatabase, withDatabase } from './database.ts';

await runTask(async () => {
  const settings = readSettings(process.env);
  const kept = await withDatabase(settings, async (connection, url) => {
    await migrateDatabase(connection, url);
    return keepDemo(settings, connection);
  });
  if (kept) return;
  // Every start waits for this program: it loads what seeds only where there is something to seed.
  const { seedDemo } = await import('./demo.module.ts');
  await seedDemo(settings);
});

/** @returns whether the demo of an earlier start is all there */
async function keepDemo({ data, http }: Settings, { database }: PostgresConnection): Promise<boolean> {
  const demo = await readDemo(data.demo);
  const tokens = new Tokens(new PostgresTokens(database), new RandomTokenSecrets(), systemClock);
  if (!demo || !(await isIntact(demo, tokens))) return false;
  if (demo.base_url !== http.publicUrl) await writeDemo(data.demo, { ...demo, base_url: http.publicUrl });
  return true;
}
