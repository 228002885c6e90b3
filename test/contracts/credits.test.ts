import { afterAll, beforeAll } from '@jest/globals';
import { creditLedgerContract } from '#testing/credits';
import { creditStoreOn } from '../support/credit-store.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase({ poolSize: 25 });
});
afterAll(() => db.drop());

creditLedgerContract('PostgreSQL', () => creditStoreOn(db.database));
