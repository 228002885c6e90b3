import { afterAll } from '@jest/globals';
import { createDatabase, type TestDatabase } from './database.ts';

/** An empty, migrated database of the calling file's own, until the end of its tests. */
export async function suiteDatabase(options: Parameters<typeof createDatabase>[0] = {}): Promise<TestDatabase> {
  const db = await createDatabase(options);
  afterAll(() => db.drop());
  return db;
}
