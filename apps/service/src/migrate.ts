import { readSettings } from '#config';
import { runTask } from '#process';
import { migrateDatabase, withDatabase } from './database.ts';

await runTask(async () => {
  const ran = await withDatabase(readSettings(process.env), migrateDatabase);
  process.stdout.write(ran.length > 0 ? `migrated: ${ran.join(', ')}\n` : 'the database is up to date\n');
});
