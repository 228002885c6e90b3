import { readSettings, type Settings } from '#config';
import { runTask, StartError } from '#process';
import { systemClock } from '#kernel';
import { readSchemaVersion } from '#adapters/postgres';
import { withDatabase } from './database.ts';

/** Time for each of the three attempts to reach a bucket. */
const BUCKET_MS = 2000;

// Checks the catalogue of models, that the external services that the settings name can be used, and that the database
// has all migrations.
await runTask(async () => {
  const settings = readSettings(process.env);
  await Promise.all([checkModels(settings), checkDatabase(settings), checkRedis(settings), checkBucket(settings)]);
});

async function checkModels(settings: Settings): Promise<void> {
  if (settings.models.file === null) return;
  // This file alone: the whole of the wiring would delay the start.
  const { readCatalogue } = await import('../../wiring/src/catalogue.ts');
  readCatalogue(settings);
}

async function checkDatabase(settings: Settings): Promise<void> {
  if (settings.database.url === null) return;
  await withDatabase(settings, async ({ database }) => {
    const { pending } = await readSchemaVersion(database);
    if (pending.length > 0) {
      throw new StartError('the database of DATABASE_URL is not up to date: run `npm run migrate`');
    }
  });
}

async function checkRedis({ redis: { url } }: Settings): Promise<void> {
  if (url === null) return;
  const { openRedis } = await import('#wiring');
  (await openRedis(url, () => undefined)).close();
}

async function checkBucket(settings: Settings): Promise<void> {
  const { bucket } = settings.storage;
  if (bucket === null) return;
  const { openStorage } = await import('#wiring');
  const storage = await openStorage(settings, systemClock, BUCKET_MS);
  await storage.head('files/health').catch((error: Error) => {
    throw new StartError(`S3_BUCKET ${bucket} cannot be used: ${(error.cause as Error).message}`);
  });
}
