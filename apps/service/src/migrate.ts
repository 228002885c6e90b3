import { readSettings } from '#config';
import { runTask } from '#embedded';
import { withMigratedDatabase } from './migrate-database.ts';

await runTask(() =>
  withMigratedDatabase(readSettings(process.env), (_connection, ran) => {
    process.stdout.write(ran.length > 0 ? `migrated: ${ran.join(', ')}\n` : 'the database is up to date\n');
  }),
);
