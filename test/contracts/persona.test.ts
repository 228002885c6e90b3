import { afterAll, beforeAll } from '@jest/globals';
import { personasContract, trainingsContract, type PersonaStore } from '#testing/persona';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { personaStoreOn } from '../support/persona-store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase();
});
afterAll(() => db.drop());

const onPostgres = async (): Promise<PersonaStore> => personaStoreOn(db.database);

personasContract('PostgreSQL', onPostgres);
trainingsContract('PostgreSQL', onPostgres);
