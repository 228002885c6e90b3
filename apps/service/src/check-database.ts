import { readSettings } from '#config';
import { runTask, StartError } from '#process';
import { withDatabase } from './database.ts';

// Checks that the database of DATABASE_URL has all migrations of this version.
await runTask(() =>
  withDatabase(readSettings(process.env), async ({ orm }) => {
    const pending = await orm.migrator.getPending();
    if (pending.length > 0) {
      throw new StartError('the database of DATABASE_URL is not up to date: run `npm run migrate`');
    }
  }),
);
