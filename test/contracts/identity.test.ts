import { afterAll, beforeAll } from '@jest/globals';
import { PostgresAccounts, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import { accountsContract, teamsContract, tokensContract } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createDatabase();
});
afterAll(() => db.drop());

const onPostgres = async () => ({
  accounts: new PostgresAccounts(db.database),
  teams: new PostgresTeams(db.database),
  tokens: new PostgresTokens(db.database),
});

accountsContract('PostgreSQL', async () => (await onPostgres()).accounts);
teamsContract('PostgreSQL', onPostgres);
tokensContract('PostgreSQL', onPostgres);
