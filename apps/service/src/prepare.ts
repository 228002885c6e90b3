import { readSettings } from '#config';
import { runTask } from '#embedded';
import { migrateDatabase } from './migrate-database.ts';

await runTask(async () => {
  const settings = readSettings(process.env);
  await migrateDatabase(settings);
});
