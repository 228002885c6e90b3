import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PostgresAccounts, PostgresTeams, PostgresTokens } from '#adapters/postgres';
import { emailOf, type NewAccount, type NewMember, type NewToken, type PasswordHash, type TokenHash } from '#identity';
import { emails, someone, texts, times } from '#testing/identity';
import { createDatabase, type TestDatabase } from '../support/database.ts';

const now = new Date('2026-03-14T09:26:53.589Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const wholeList = { limit: null, after: null };

let db: TestDatabase;
let accounts: PostgresAccounts;
let teams: PostgresTeams;
let tokens: PostgresTokens;
beforeAll(async () => {
  db = await createDatabase();
  accounts = new PostgresAccounts(db.database);
  teams = new PostgresTeams(db.database);
  tokens = new PostgresTokens(db.database);
});
afterAll(() => db.drop());

describe('stored accounts', () => {
  it('come back as they were opened, by e-mail and by id', async () => {
    const account = fc.record<NewAccount>({
      email: emails,
      name: fc.option(texts),
      passwordHash: fc.option(texts) as fc.Arbitrary<PasswordHash | null>,
      plan: fc.constantFrom('free', 'pro'),
      openedAt: times,
    });
    const taken = new Set<string>();
    await fc.assert(
      fc.asyncProperty(account, async (given) => {
        fc.pre(!taken.has(given.email));
        taken.add(given.email);
        const { user } = await accounts.open(given);
        expect(user).toEqual({ id: user.id, email: given.email, name: given.name });
        expect(await accounts.find(user.id)).toEqual(user);
        expect(await accounts.findByEmail(given.email)).toEqual({ ...user, passwordHash: given.passwordHash });
      }),
      { numRuns: 50 },
    );
  });

  it('are nobody when the e-mail or the id is unknown', async () => {
    expect(await accounts.findByEmail(emailOf('nobody@example.com'))).toBeNull();
    expect(await accounts.find(999_999_999)).toBeNull();
  });

  it('give each user a personal workspace of their own', async () => {
    const [one, two] = [await accounts.open(someone()), await accounts.open(someone())];
    expect(one.workspaceId).not.toBe(two.workspaceId);
    expect(one.user.id).not.toBe(two.user.id);
  });

  it('open once for one e-mail, however many ask at once', async () => {
    for (let round = 0; round < 10; round++) {
      const account = someone();
      const answers = await Promise.allSettled(Array.from({ length: 10 }, () => accounts.open(account)));
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const answer of answers) {
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'user_exists' });
      }
    }
  });
});

describe('stored teams', () => {
  async function cast() {
    const user = async () => (await accounts.open(someone())).user.id;
    const team = async (ownerUserId: number) => teams.open({ ownerUserId, plan: 'enterprise', openedAt: now });
    const member = (workspaceId: number, userId: number, addedBy: number): NewMember => ({
      workspaceId,
      userId,
      role: 'member',
      addedBy,
      joinedAt: now,
    });
    return { user, team, member };
  }

  it('refuse whoever is in the team already, the owner too', async () => {
    const { user, team, member } = await cast();
    const [owner, other] = [await user(), await user()];
    const home = await team(owner);
    await teams.join(member(home, other, owner));
    for (const userId of [owner, other]) {
      await expect(teams.join(member(home, userId, owner))).rejects.toMatchObject({ code: 'already_member' });
    }
  });

  it('refuse who belongs to another team, as a member and as an owner', async () => {
    const { user, team, member } = await cast();
    const [owner, stranger] = [await user(), await user()];
    const home = await team(owner);
    await team(stranger);
    await expect(teams.join(member(home, stranger, owner))).rejects.toMatchObject({ code: 'in_other_team' });
    await expect(team(owner)).rejects.toMatchObject({ code: 'in_other_team' });
  });

  it('are not found when the team is a personal workspace, or team or user do not exist', async () => {
    const { user, team, member } = await cast();
    const [owner, other] = [await user(), await user()];
    const home = await team(owner);
    const personal = (await accounts.open(someone())).workspaceId;
    for (const refused of [
      member(personal, other, owner),
      member(999_999_999, other, owner),
      member(home, 999_999_999, owner),
    ]) {
      await expect(teams.join(refused)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(team(999_999_999)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('get a user once, however many teams take them in at once', async () => {
    const { user, team, member } = await cast();
    const owners = await Promise.all(Array.from({ length: 5 }, user));
    const homes = await Promise.all(owners.map(team));
    for (let round = 0; round < 10; round++) {
      const newcomer = await user();
      const answers = await Promise.allSettled([
        ...homes.map((home, index) => teams.join(member(home, newcomer, owners[index]!))),
        ...homes.map((home, index) => teams.join(member(home, newcomer, owners[index]!))),
        team(newcomer),
      ]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});

describe('stored tokens', () => {
  let count = 0;
  const newHash = () => (++count).toString(16).padStart(64, '0') as TokenHash;

  async function cast() {
    const { user, workspaceId } = await accounts.open(someone());
    const token = (differences: Partial<NewToken> = {}): NewToken => ({
      userId: user.id,
      name: 'test',
      hash: newHash(),
      createdAt: now,
      expiresAt: null,
      ...differences,
    });
    return { userId: user.id, workspaceId, token };
  }

  it('come back as they were added', async () => {
    const generated = fc.record({ name: texts, createdAt: times });
    const lifetime = fc.option(fc.integer({ min: 1, max: 3650 }));
    await fc.assert(
      fc.asyncProperty(generated, lifetime, async (given, days) => {
        const userId = (await accounts.open(someone())).user.id;
        const expiresAt = days === null ? null : new Date(given.createdAt.getTime() + days * 86_400_000);
        const added = await tokens.add({ ...given, userId, hash: newHash(), expiresAt });
        expect(added).toEqual({ ...given, id: added.id, lastUsedAt: null, expiresAt });
        expect(await tokens.list(userId, wholeList)).toEqual({ items: [added], next: null });
      }),
      { numRuns: 40 },
    );
  });

  it('authenticate their user in the personal workspace, as its owner', async () => {
    const { userId, workspaceId, token } = await cast();
    const given = token();
    const { id } = await tokens.add(given);
    expect(await tokens.authenticate(given.hash, now)).toEqual({
      tokenId: id,
      userId,
      workspaceId,
      role: 'owner',
      plan: 'free',
      isTeam: false,
    });
  });

  it('authenticate in the team as soon as the user belongs to one, with the role they have there', async () => {
    const { userId, token } = await cast();
    const given = token();
    await tokens.add(given);
    const owner = (await accounts.open(someone())).user.id;
    const team = await teams.open({ ownerUserId: owner, plan: 'enterprise', openedAt: now });
    await teams.join({ workspaceId: team, userId, role: 'admin', addedBy: owner, joinedAt: now });
    expect(await tokens.authenticate(given.hash, now)).toMatchObject({
      userId,
      workspaceId: team,
      role: 'admin',
      plan: 'enterprise',
      isTeam: true,
    });
  });

  it('authenticate nobody when the hash is unknown', async () => {
    expect(await tokens.authenticate(newHash(), now)).toBeNull();
  });

  it('work up to the moment of their expiry, and not at it', async () => {
    const { token } = await cast();
    const given = token({ expiresAt: later(100) });
    await tokens.add(given);
    expect(await tokens.authenticate(given.hash, later(99.999))).not.toBeNull();
    expect(await tokens.authenticate(given.hash, later(100))).toBeNull();
  });

  it('record their use, at most once a minute', async () => {
    const { userId, token } = await cast();
    const given = token();
    await tokens.add(given);
    const lastUse = async () => (await tokens.list(userId, wholeList)).items[0]!.lastUsedAt;
    expect(await lastUse()).toBeNull();
    await tokens.authenticate(given.hash, later(1));
    expect(await lastUse()).toEqual(later(1));
    await tokens.authenticate(given.hash, later(60.999));
    expect(await lastUse()).toEqual(later(1));
    await tokens.authenticate(given.hash, later(61));
    expect(await lastUse()).toEqual(later(61));
  });

  it('do not record a use after their expiry', async () => {
    const { userId, token } = await cast();
    const given = token({ expiresAt: later(100) });
    await tokens.add(given);
    await tokens.authenticate(given.hash, later(100));
    expect((await tokens.list(userId, wholeList)).items[0]!.lastUsedAt).toBeNull();
  });

  it('authenticate every one of many calls at once', async () => {
    const { token } = await cast();
    const given = token();
    await tokens.add(given);
    const actors = await Promise.all(Array.from({ length: 50 }, () => tokens.authenticate(given.hash, later(3600))));
    expect(actors.every((actor) => actor !== null)).toBe(true);
  });

  it('end at once when revoked, and can be revoked once', async () => {
    const { userId, token } = await cast();
    const [kept, revoked] = [token(), token()];
    await tokens.add(kept);
    const { id } = await tokens.add(revoked);
    expect(await tokens.revoke(userId, id)).toBe(true);
    expect(await tokens.revoke(userId, id)).toBe(false);
    expect(await tokens.authenticate(revoked.hash, now)).toBeNull();
    expect(await tokens.authenticate(kept.hash, now)).not.toBeNull();
  });

  it('can not be revoked or listed by another user', async () => {
    const { token } = await cast();
    const given = token();
    const { id } = await tokens.add(given);
    const other = (await accounts.open(someone())).user.id;
    expect(await tokens.revoke(other, id)).toBe(false);
    expect((await tokens.list(other, wholeList)).items).toEqual([]);
    expect(await tokens.authenticate(given.hash, now)).not.toBeNull();
  });

  it('are listed newest first, page by page', async () => {
    const { userId, token } = await cast();
    for (const name of ['a', 'b', 'c']) await tokens.add(token({ name }));
    const first = await tokens.list(userId, { limit: 2, after: null });
    expect(first.items.map(({ name }) => name)).toEqual(['c', 'b']);
    const second = await tokens.list(userId, { limit: 2, after: first.next });
    expect(second.items.map(({ name }) => name)).toEqual(['a']);
    expect(second.next).toBeNull();
    expect(await tokens.list(userId, { limit: 3, after: null })).toMatchObject({ next: null });
  });

  it('are forgotten after their expiry when the user gets another, and other users keep theirs', async () => {
    const { userId, token } = await cast();
    const other = (await accounts.open(someone())).user.id;
    await tokens.add(token({ name: 'over', expiresAt: later(10) }));
    await tokens.add(token({ name: 'not yet', expiresAt: later(11) }));
    await tokens.add(token({ name: "another's", userId: other, expiresAt: later(10) }));
    await tokens.add(token({ name: 'new', createdAt: later(10) }));
    const names = async (of: number) => (await tokens.list(of, wholeList)).items.map(({ name }) => name);
    expect(await names(userId)).toEqual(['new', 'not yet']);
    expect(await names(other)).toEqual(["another's"]);
  });

  it('authenticates without waiting for a call that is recording its use', async () => {
    const { user } = await accounts.open(someone());
    const hash = 'f'.repeat(64) as TokenHash;
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
