/** @tier test */
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { PostgresSignInLinks, PostgresTokens } from '#adapters/postgres';
import { SCOPES, TOKEN_KINDS, type NewAccount, type NewToken, type PasswordHash } from '#identity';
import { anActor, aToken, emails, someone, texts, times } from '#testing/identity';
import { suiteDatabase } from '../support/suite-database.ts';
import { eventually } from '../support/eventually.ts';
import { rounds } from '../support/rounds.ts';
import { join, newHash, newTeam, newUser, someTime as now, teamStoresOn, wholeList } from '../support/team-store.ts';

const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

const db = await suiteDatabase();
const store = teamStoresOn(db.database);
const { accounts, teams, tokens } = store;

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
        const { passwordHash } = given;
        const profile = {
          ...user,
          avatar: null,
          emailVerified: false,
          hasPassword: passwordHash !== null,
          twoFactor: false,
          isOperator: false,
        };
        expect(await accounts.find(user.id)).toEqual(profile);
        const account = { ...profile, passwordHash, avatarFileId: null, isService: false, operatorBy: null };
        expect(await accounts.findByEmail(given.email)).toEqual(account);
      }),
      { numRuns: 50 },
    );
  });

  it('open once for one e-mail, however many ask at once', async () => {
    for (let round = 0; round < 10; round++) {
      const account = someone();
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => accounts.open(account)));
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'user_exists' });
      }
    }
  });
});

describe('stored teams', () => {
  const open = (ownerUserId: number) => teams.open({ ownerUserId, plan: 'enterprise', openedAt: now });

  it('refuse users who belong to a team already, as members and as owners', async () => {
    const [team, rival, member] = [await newTeam(store), await newTeam(store), await newUser(store)];
    await join(store, team, member);
    for (const user of [team.owner, member]) {
      await expect(join(store, team, user)).rejects.toMatchObject({ code: 'already_member' });
    }
    for (const refused of [() => join(store, team, rival.owner), () => open(team.owner.userId)]) {
      await expect(refused()).rejects.toMatchObject({ code: 'in_other_team' });
    }
  });

  it('are not found when the team is a personal workspace, or team or user do not exist', async () => {
    const [team, other] = [await newTeam(store), await newUser(store)];
    const { workspaceId } = await accounts.open(someone());
    for (const refused of [
      () => join(store, { ...team, workspaceId }, other),
      () => join(store, { ...team, workspaceId: 999_999_999 }, other),
      () => join(store, team, { userId: 999_999_999 }),
      () => open(999_999_999),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('get a user once, however many teams take them in at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => newTeam(store)));
    for (let round = 0; round < 10; round++) {
      const newcomer = await newUser(store);
      const results = await Promise.allSettled([
        ...[...all, ...all].map((team) => join(store, team, newcomer)),
        open(newcomer.userId),
      ]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});

describe('stored sign-in links', () => {
  const linkOf = (userId: number) => ({
    userId,
    hash: newHash(),
    isLocal: false,
    createdAt: now,
    expiresAt: later(600),
  });

  it('are redeemed once, however many ask at once', async () => {
    const links = new PostgresSignInLinks(db.database);
    const { userId } = await newUser(store);
    for (let round = 0; round < rounds(); round++) {
      const link = linkOf(userId);
      await links.add(link);
      const request = { isLocal: true, now: later(1) };
      const users = await Promise.all(Array.from({ length: 10 }, () => links.redeem(link.hash, request)));
      expect(users.filter(Boolean)).toEqual([{ userId, isLocal: false }]);
    }
  });

  it('that have expired are deleted when another is added', async () => {
    const links = new PostgresSignInLinks(db.database);
    const { userId } = await newUser(store);
    const [early, late] = [linkOf(userId), { ...linkOf(userId), createdAt: later(600), expiresAt: later(1200) }];
    await links.add(early);
    await links.add(late);
    expect(await links.redeem(early.hash, { isLocal: true, now: later(1) })).toBeNull();
    expect(await links.redeem(late.hash, { isLocal: true, now: later(601) })).toMatchObject({ userId });
  });
});

describe('stored tokens', () => {
  /** A user with a token, and what adds more of them. */
  async function cast(differences: Partial<NewToken> = {}) {
    const { user, workspaceId } = await accounts.open(someone());
    const add = async (differences: Partial<NewToken> = {}) => {
      const token = aToken({ userId: user.id, hash: newHash(), createdAt: now, ...differences });
      return { hash: token.hash, ...(await tokens.add(token)) };
    };
    return { userId: user.id, workspaceId, add, ...(await add(differences)) };
  }

  it('come back as they were added', async () => {
    const scopes = fc.option(fc.subarray([...SCOPES]));
    const monthlyCredits = fc.option(fc.nat());
    const generated = fc.record({
      name: texts,
      monthlyCredits,
      customer: fc.option(texts),
      kind: fc.constantFrom(...TOKEN_KINDS),
      scopes,
      createdAt: times,
    });
    const lifetime = fc.option(fc.integer({ min: 1, max: 3650 }));
    await fc.assert(
      fc.asyncProperty(generated, lifetime, async (given, days) => {
        const userId = (await accounts.open(someone())).user.id;
        const expiresAt = days === null ? null : new Date(given.createdAt.getTime() + days * 86_400_000);
        const added = await tokens.add({ ...given, userId, parentId: null, hash: newHash(), expiresAt });
        expect(added).toEqual({ ...given, id: added.id, lastUsedAt: null, expiresAt });
        expect(await tokens.list(userId, wholeList)).toEqual({ items: [added], next: null });
      }),
      { numRuns: 40 },
    );
  });

  it('authenticate their user in the personal workspace, and in the team once they belong to one', async () => {
    const { id: tokenId, userId, workspaceId, hash } = await cast();
    const personal = anActor({ tokenId, userId, workspaceId, role: 'owner', emailVerified: false });
    expect(await tokens.authenticate(hash, now)).toEqual(personal);
    const team = await newTeam(store);
    await join(store, team, { userId }, 'admin');
    const member = { ...personal, workspaceId: team.workspaceId, role: 'admin', plan: 'enterprise', isTeam: true };
    expect(await tokens.authenticate(hash, now)).toEqual(member);
    expect(await tokens.authenticate(newHash(), now)).toBeNull();
  });

  it('have the same callers by id as by secret, whatever becomes of them', async () => {
    const [first, second] = [await cast({ expiresAt: later(100) }), await cast()];
    const team = await newTeam(store);
    const expectSame = async (seconds: number, found: readonly (typeof first)[]) => {
      const actors = await Promise.all([first, second].map(({ hash }) => tokens.authenticate(hash, later(seconds))));
      const callers = await tokens.callers([first.id, second.id, 999_999_999], later(seconds));
      expect([...callers.keys()].sort((a, b) => a - b)).toEqual(found.map(({ id }) => id));
      expect([first, second].map(({ id }) => callers.get(id) ?? null)).toEqual(actors);
    };
    await expectSame(99.999, [first, second]);
    await expectSame(100, [second]);
    await join(store, team, { userId: first.userId }, 'admin');
    await store.members.changeRole(team.workspaceId, first.userId, 'member');
    await store.teams.update(team.workspaceId, { plan: 'free' });
    await expectSame(0, [first, second]);
    await store.members.remove(team.workspaceId, first.userId);
    await expectSame(0, [first, second]);
    await tokens.revoke(second.userId, second.id);
    await expectSame(0, [first]);
  });

  it('have the latest of their uses recorded, by whichever process and in whichever order', async () => {
    const { userId, hash } = await cast();
    const another = new PostgresTokens(db.database);
    const lastUse = async () => (await tokens.list(userId, wholeList)).items[0]!.lastUsedAt;
    expect(await lastUse()).toBeNull();
    for (const seconds of [1, 2]) await tokens.authenticate(hash, later(seconds));
    await another.authenticate(hash, later(3));
    expect(await lastUse()).toEqual(later(2));
    await another.recordUses();
    expect(await lastUse()).toEqual(later(3));
    await another.authenticate(hash, later(5));
    await tokens.authenticate(hash, later(4));
    await another.recordUses();
    await tokens.recordUses();
    expect(await lastUse()).toEqual(later(5));
  });

  it('have their uses recorded a minute after the first, unasked', async () => {
    const { userId, hash } = await cast();
    const isRecorded = async () => {
      const row = await db.one(`select from api_tokens where user_id = $1 and last_used_at is not null`, [userId]);
      return row !== null;
    };
    const timers = jest.spyOn(global, 'setTimeout');
    await tokens.authenticate(hash, later(1));
    const [record] = timers.mock.calls.find(([, ms]) => ms === 60_000)!;
    timers.mockRestore();
    expect(await isRecorded()).toBe(false);
    record();
    await eventually(isRecorded);
  });

  it('end at once when revoked, once, and are neither revoked nor listed by another user', async () => {
    const { userId, id, hash, add } = await cast();
    const kept = await add();
    const { userId: other } = await newUser(store);
    expect(await tokens.revoke(other, id)).toBe(false);
    expect((await tokens.list(other, wholeList)).items).toEqual([]);
    expect(await tokens.authenticate(hash, now)).not.toBeNull();
    expect(await tokens.revoke(userId, id)).toBe(true);
    expect(await tokens.revoke(userId, id)).toBe(false);
    expect(await tokens.authenticate(hash, now)).toBeNull();
    expect(await tokens.authenticate(kept.hash, now)).not.toBeNull();
  });

  it('end with the token that they were made with, through every generation, and it does not end with them', async () => {
    const { userId, id, hash, add } = await cast();
    const session = await add({ kind: 'session', parentId: id });
    const inner = await add({ kind: 'session', parentId: session.id });
    const apart = await add();
    const endsNow = async () => {
      const found = await Promise.all(
        [hash, session.hash, inner.hash, apart.hash].map((h) => tokens.authenticate(h, now)),
      );
      return found.map((actor) => actor === null);
    };
    for (const { id: of } of [session, inner]) expect(await tokens.actsFor(of)).toMatchObject({ id, kind: 'api' });
    expect(await tokens.actsFor(id)).toMatchObject({ id });
    expect(await tokens.revoke(userId, inner.id)).toBe(true);
    expect(await endsNow()).toEqual([false, false, true, false]);
    expect(await tokens.revoke(userId, id)).toBe(true);
    expect(await endsNow()).toEqual([true, true, true, false]);
    expect(await tokens.actsFor(id)).toBeNull();
    await expect(add({ kind: 'session', parentId: id })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('are listed and revoked, within a token, only if they are it or were made with it at any remove', async () => {
    const { userId, id, add } = await cast();
    const made = await add({ parentId: id });
    const inner = await add({ kind: 'session', parentId: made.id });
    const idsWithin = async (within: number | null) =>
      (await tokens.list(userId, wholeList, within)).items.map((token) => token.id);
    expect(await idsWithin(made.id)).toEqual([inner.id, made.id]);
    expect(await idsWithin(null)).toEqual([inner.id, made.id, id]);
    expect(await tokens.revoke(userId, id, made.id)).toBe(false);
    expect(await tokens.revoke((await newUser(store)).userId, made.id, made.id)).toBe(false);
    expect(await tokens.revoke(userId, inner.id, made.id)).toBe(true);
    expect(await tokens.revoke(userId, made.id, made.id)).toBe(true);
    expect(await idsWithin(null)).toEqual([id]);
  });

  it('count what is spent in their budget and in the budgets of all tokens above them', async () => {
    const { id, add } = await cast({ monthlyCredits: 100 });
    const made = await add({ parentId: id, monthlyCredits: 50 });
    const session = await add({ kind: 'session', parentId: made.id, monthlyCredits: 50 });
    const limits = async (of: number) =>
      new Map((await tokens.budgets(of)).map(({ tokenId, monthlyCredits }) => [tokenId, monthlyCredits]));
    expect(await limits(session.id)).toEqual(
      new Map([
        [session.id, 50],
        [made.id, 50],
        [id, 100],
      ]),
    );
    expect(await limits(id)).toEqual(new Map([[id, 100]]));
    expect(await limits((await cast()).id)).toEqual(new Map());
  });

  it('are never left over when the token that they are made with is revoked at the same moment', async () => {
    for (let round = 0; round < rounds(); round += 1) {
      const { userId, id, add } = await cast();
      const [, ...made] = await Promise.allSettled([
        tokens.revoke(userId, id),
        ...Array.from({ length: 5 }, () => add({ kind: 'session', parentId: id })),
      ]);
      for (const each of made) if (each.status === 'rejected') expect(each.reason.code).toBe('unauthenticated');
      expect((await tokens.list(userId, wholeList)).items).toEqual([]);
    }
  });

  it('are listed newest first, page by page', async () => {
    const { userId, add } = await cast({ name: 'a' });
    for (const name of ['b', 'c']) await add({ name });
    const page = async (limit: number, after: number | null) => {
      const { items, next } = await tokens.list(userId, { limit, after });
      return { names: items.map(({ name }) => name), next };
    };
    const first = await page(2, null);
    expect(first.names).toEqual(['c', 'b']);
    expect(await page(2, first.next)).toEqual({ names: ['a'], next: null });
    expect(await page(3, null)).toMatchObject({ next: null });
  });

  it('are forgotten after their expiry when the user gets another, and other users keep theirs', async () => {
    const { userId, add } = await cast({ name: 'over', expiresAt: later(10) });
    const { userId: other } = await cast({ name: "another's", expiresAt: later(10) });
    await add({ name: 'not yet', expiresAt: later(11) });
    await add({ name: 'new', createdAt: later(10) });
    const names = async (of: number) => (await tokens.list(of, wholeList)).items.map(({ name }) => name);
    expect(await names(userId)).toEqual(['new', 'not yet']);
    expect(await names(other)).toEqual(["another's"]);
  });

  it('authenticate every one of many calls at once, and without waiting for one that changes it', async () => {
    const { userId, hash } = await cast();
    const calls = Array.from({ length: 50 }, () => tokens.authenticate(hash, later(3600)));
    for (const actor of await Promise.all(calls)) expect(actor).toMatchObject({ userId });
    const recording = await db.pool.connect();
    try {
      await recording.query('begin');
      await recording.query('update api_tokens set last_used_at = $1 where user_id = $2', [now, userId]);
      expect(await tokens.authenticate(hash, now)).toMatchObject({ userId });
    } finally {
      await recording.query('rollback');
      recording.release();
    }
  });
});
