import { afterAll, beforeAll } from '@jest/globals';
import { personasContract, trainingsContract } from '#testing/persona';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { personaStoresOn } from '../support/persona-stores.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase();
});
afterAll(() => db.drop());

personasContract('PostgreSQL', () => personaStoresOn(db.database));
trainingsContract('PostgreSQL', () => personaStoresOn(db.database));
