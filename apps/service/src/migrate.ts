import { readSettings } from '#config';
import { runTask } from '#process';
import { migrateDatabase, withDatabase } from './database.ts';

await runTask(async () => {
  const settings = readSettings(process.env);
  const ran = await withDatabase(settings, (connection, url) => migrateDatabase(settings, connection, url));
  process.stdout.write(ran.length > 0 ? `migrated: ${ran.join(', ')}\n` : 'the database is up to date\n');
});
