import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresAccounts, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import type { TokenHash } from '#identity';
import { accountsContract, someone, teamsContract, tokensContract } from '#testing/identity';
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

describe('a token in PostgreSQL', () => {
  it('authenticates without waiting for a call that is recording its use', async () => {
    const { accounts, tokens } = await onPostgres();
    const { user } = await accounts.open(someone());
    const hash = 'f'.repeat(64) as TokenHash;
    const now = new Date();
    await tokens.add({ userId: user.id, name: 'test', hash, createdAt: now, expiresAt: null });
    const recording = await db.pool.connect();
    try {
      await recording.query('begin');
      await recording.query('update api_tokens set last_used_at = $1 where user_id = $2', [now, user.id]);
      expect(await tokens.authenticate(hash, now)).toMatchObject({ userId: user.id });
    } finally {
      await recording.query('rollback');
      recording.release();
    }
  });
});
