import { afterAll, beforeAll } from '@jest/globals';
import { discardedFilesContract, filesContract, storageRecordsContract, uploadsContract } from '#testing/files';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { fileStoreOn } from '../support/file-store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase();
});
afterAll(() => db.drop());

const make = async () => fileStoreOn(db.database);

discardedFilesContract('PostgreSQL', make);
filesContract('PostgreSQL', make);
storageRecordsContract('PostgreSQL', make);
uploadsContract('PostgreSQL', make);
