import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresAccounts, PostgresDirectory, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import { ManualClock } from '#testing/kernel';
import { createDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { Teams } from './teams.ts';
import { CountedTokenSecrets, someone } from './testing/index.ts';
import { Tokens } from './tokens.ts';

const plans = {
  free: { id: 'free', monthlyCredits: 100, teams: false },
  pro: { id: 'pro', monthlyCredits: 2000, teams: false },
  enterprise: { id: 'enterprise', monthlyCredits: 20_000, teams: true },
};

let db: TestDatabase;
let tokens: Tokens;
let teams: Teams;
const clock = new ManualClock();
beforeAll(async () => {
  db = await createDatabase();
  tokens = new Tokens(new PostgresTokens(db.database), new CountedTokenSecrets(), clock);
  teams = new Teams(new PostgresTeams(db.database), new PostgresDirectory(db.database), plans, clock);
});
afterAll(() => db.drop());

async function newUser() {
  const { user, workspaceId } = await new PostgresAccounts(db.database).open(someone());
  const { id, secret } = await tokens.create({ userId: user.id, name: 'first', expiresInDays: null });
  return { userId: user.id, workspaceId, tokenId: id, actor: () => tokens.authenticate(secret) };
}

describe("a user's tokens", () => {
  it('work as soon as they are created, until they expire', async () => {
    const { userId } = await newUser();
    const token = await tokens.create({ userId, name: ' render farm ', expiresInDays: 2 });
    expect(token.name).toBe('render farm');
    clock.advance(2 * 86_400 - 1);
    expect(await tokens.authenticate(token.secret)).toMatchObject({ userId, tokenId: token.id });
    clock.advance(1);
    expect(await tokens.authenticate(token.secret)).toBeNull();
  });
});

describe('a team', () => {
  it.each(['free', 'unknown'])('is not opened on the plan %s, which is no team plan', async (plan) => {
    const { userId } = await newUser();
    const opening = teams.open({ ownerUserId: userId, plan });
    await expect(opening).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('may be on any plan, and a personal workspace on any but a team plan', async () => {
    const { userId, workspaceId, actor } = await newUser();
    expect(await teams.changePlan(workspaceId, 'pro')).toMatchObject({ plan: 'pro', isTeam: false });
    expect(await actor()).toMatchObject({ workspaceId, plan: 'pro' });
    const refused = teams.changePlan(workspaceId, 'enterprise');
    await expect(refused).rejects.toMatchObject({ code: 'validation_failed' });
    const team = await teams.open({ ownerUserId: userId, plan: 'enterprise' });
    expect(await teams.changePlan(team, 'pro')).toMatchObject({ plan: 'pro', isTeam: true });
    await expect(teams.changePlan(999_999_999, 'pro')).rejects.toMatchObject({ code: 'not_found' });
  });
});
