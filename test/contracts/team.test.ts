/** @tier test */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TokenHash } from '#identity';
import { accept, MAX_TOKENS, revoke, type Member, type PendingInvitation } from '#team';
import { aToken, emails, someone, times } from '#testing/identity';
import { suiteDatabase } from '../support/suite-database.ts';
import { rounds } from '../support/rounds.ts';
import {
  join,
  later,
  newHash,
  newMember,
  newTeam,
  newUser,
  pendingIn,
  rolesIn,
  someInvitation,
  someTime,
  teamStoresOn,
  wholeList,
  type TestTeam,
} from '../support/team-store.ts';

const db = await suiteDatabase({ poolSize: 20 });
const store = teamStoresOn(db.database);

describe('stored members', () => {
  it('come back as they joined, found and listed', async () => {
    const team = await newTeam(store);
    const joining = fc.record({
      role: fc.constantFrom('admin' as const, 'member' as const),
      name: fc.option(fc.constantFrom('Ada', "O'Hara <x>", '  ', 'Ж')),
      joinedAt: times,
    });
    await fc.assert(
      fc.asyncProperty(joining, async ({ role, name, joinedAt }) => {
        const { user } = await store.accounts.open(someone({ name }));
        const addedBy = team.owner.userId;
        const { workspaceId } = team;
        const { id: userId, email } = user;
        await store.teams.join({ workspaceId, userId, role, addedBy, joinedAt });
        const by = { addedBy: team.owner.email, isConfirmed: false };
        const expected: Member = { userId, email, name, role, joinedAt, ...by };
        expect(await store.members.find(workspaceId, user.id)).toEqual(expected);
        const { items } = await store.views.members(workspaceId, someTime, wholeList);
        expect(items).toContainEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('are confirmed by their first token, also where they join later', async () => {
    const [team, other] = [await newTeam(store), await newTeam(store)];
    const { userId } = await newMember(store, team, 'admin');
    const isConfirmedIn = async ({ workspaceId }: TestTeam) =>
      (await store.members.find(workspaceId, userId))!.isConfirmed;
    expect(await isConfirmedIn(team)).toBe(false);
    const { id } = await store.tokens.add(aToken({ userId, hash: newHash(), createdAt: someTime }));
    expect(await isConfirmedIn(team)).toBe(true);
    await store.members.remove(team.workspaceId, userId);
    await join(store, other, { userId });
    await store.tokens.revoke(userId, id);
    expect(await isConfirmedIn(other)).toBe(true);
  });

  it('are listed newest first, page by page, to the owner, and no member of another team', async () => {
    const [team, other] = [await newTeam(store), await newTeam(store)];
    const newestFirst = [team.owner.userId];
    for (let count = 0; count < 2; count++) {
      newestFirst.unshift((await newMember(store, team)).userId);
      await newMember(store, other);
    }
    const page = async (limit: number, after: number | null) => {
      const { items, next } = await store.views.members(team.workspaceId, someTime, { limit, after });
      return { ids: items.map(({ userId }) => userId), next };
    };
    expect(await page(2, null)).toEqual({ ids: newestFirst.slice(0, 2), next: newestFirst[1] });
    expect(await page(2, newestFirst[1]!)).toEqual({ ids: newestFirst.slice(2), next: null });
    expect(await page(3, null)).toEqual({ ids: newestFirst, next: null });
    const { items } = await store.views.members(team.workspaceId, someTime, wholeList);
    expect(items.at(-1)).toMatchObject({ ...team.owner, role: 'owner', joinedAt: someTime, addedBy: null });
  });

  it('are listed among pending additions, page by page, with nothing of an account but its e-mail', async () => {
    const team = await newTeam(store);
    const [asked, member, other] = [await newUser(store), await newMember(store, team), await newUser(store)];
    for (const { userId, email } of [asked, other]) {
      await store.invitations.add(someInvitation(team, { userId, email, role: 'admin' }));
    }
    await store.invitations.add(someInvitation(team, { email: (await newUser(store)).email }));
    const page = (limit: number, after: number | null, now = someTime) =>
      store.views.members(team.workspaceId, now, { limit, after });
    const addition = { role: 'admin', name: null, joinedAt: null, addedBy: team.owner.email, isConfirmed: false };
    const first = await page(1, null);
    expect(first).toEqual({ items: [{ ...other, ...addition }], next: other.userId });
    const { items } = await page(3, first.next);
    expect(items.map(({ userId }) => userId)).toEqual([member.userId, asked.userId, team.owner.userId]);
    expect(items[1]).toEqual({ ...asked, ...addition });
    expect((await page(9, null, later(7))).items).toHaveLength(2);
    expect(await store.invitations.revoke(team.workspaceId, { userId: asked.userId }, someTime)).toBe(true);
    expect(await store.invitations.revoke(team.workspaceId, { userId: asked.userId }, someTime)).toBe(false);
    expect(await store.invitations.revoke(team.workspaceId, { userId: other.userId }, later(7))).toBe(false);
    expect((await page(9, null)).items).toHaveLength(2);
  });

  it('are not there for another team, nor when unknown, nor after they were removed', async () => {
    const [team, other] = [await newTeam(store), await newTeam(store)];
    const [kept, removed] = [await newMember(store, team), await newMember(store, team)];
    await store.members.remove(team.workspaceId, removed.userId);
    const lockRoles = (workspaceId: number, ...userIds: number[]) =>
      store.unitOfWork.run(() => store.members.lockRoles(workspaceId, userIds));
    for (const [workspaceId, userId] of [
      [other.workspaceId, kept.userId],
      [team.workspaceId, 999_999_999],
      [team.workspaceId, removed.userId],
    ] as const) {
      expect(await store.members.find(workspaceId, userId)).toBeNull();
      expect(await lockRoles(workspaceId, userId)).toEqual(new Map());
      await store.members.remove(workspaceId, userId);
      await store.members.changeRole(workspaceId, userId, 'admin');
    }
    const roles = { [team.owner.userId]: 'owner', [kept.userId]: 'member' };
    expect(await rolesIn(store, team.workspaceId)).toEqual(roles);
    const locked = await lockRoles(team.workspaceId, kept.userId, removed.userId, team.owner.userId);
    expect(Object.fromEntries(locked)).toEqual(roles);
  });
});

describe('stored invitations', () => {
  const pending = (workspaceId: number, now?: Date) => pendingIn(store, workspaceId, now);

  /** A team, an invitation with a token, and the user that it is for. */
  async function invited() {
    const team = await newTeam(store);
    const user = await newUser(store);
    const invitation = await store.invitations.add(someInvitation(team, { email: user.email, role: 'admin' }));
    const hash = newHash();
    await store.invitations.addToken(invitation.id, hash, someTime);
    /** Ends the invitation that the token finds, as `Invitations.respond` does; read first, it is the same one. */
    const acceptWith = (given: { hash?: TokenHash; userId?: number; now?: Date } = {}) =>
      store.unitOfWork.run(async () => {
        const now = given.now ?? someTime;
        const key = [given.hash ?? hash, given.userId ?? user.userId, now] as const;
        const read = await store.invitations.findByToken(...key);
        const found = await store.invitations.lockByToken(...key);
        expect(read).toEqual(found);
        // Its reader does not matter.
        if (given.userId === undefined) expect(await store.invitations.findByToken(key[0], null, now)).toEqual(found);
        if (found) await store.invitations.end(accept(found, now));
        return found;
      });
    return { team, user, invitation, hash, acceptWith };
  }

  it('come back as they were added, listed, and when they get a token', async () => {
    const generated = fc.record({
      email: emails,
      role: fc.constantFrom('admin' as const, 'member' as const),
      createdAt: times,
      days: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(generated, async ({ days, ...given }) => {
        const team = await newTeam(store);
        const { workspaceId, owner } = team;
        const inviter = await newMember(store, team, 'admin');
        const facts = { ...given, expiresAt: later(days, given.createdAt) };
        const added = await store.invitations.add(someInvitation(team, { ...facts, invitedBy: inviter.userId }));
        const expected: PendingInvitation = {
          ...facts,
          state: 'pending',
          id: added.id,
          workspaceId,
          inviter: { ...inviter, name: 'Someone' },
          owner: { email: owner.email, name: 'Someone' },
          plan: 'enterprise',
          delivery: 'waiting',
        };
        expect(added).toEqual(expected);
        expect(await pending(workspaceId, given.createdAt)).toEqual([expected]);
        expect(await store.invitations.addToken(added.id, newHash(), given.createdAt)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('replace the pending one of the same address in the same team, and no other', async () => {
    const { team, user, invitation, hash, acceptWith } = await invited();
    const other = await newTeam(store);
    const elsewhere = await store.invitations.add(someInvitation(other, { email: user.email }));
    const another = await store.invitations.add(someInvitation(team));
    const second = await store.invitations.add(someInvitation(team, { email: user.email }));
    expect(second.id).not.toBe(invitation.id);
    expect(await pending(team.workspaceId)).toEqual([second, another]);
    expect(await pending(other.workspaceId)).toEqual([elsewhere]);
    expect(await acceptWith()).toBeNull();
    expect(await store.invitations.addToken(invitation.id, hash, someTime)).toBeNull();
    await store.invitations.addToken(second.id, newHash(), someTime);
    expect(await acceptWith()).toBeNull();
  });

  it('leave one pending, however many are added for one address at once', async () => {
    const [team, { email }] = [await newTeam(store), someone()];
    for (let round = 0; round < rounds(); round++) {
      const added = await Promise.all(
        Array.from({ length: 5 }, () => store.invitations.add(someInvitation(team, { email }))),
      );
      const left = await pending(team.workspaceId);
      expect(left).toHaveLength(1);
      expect(added).toContainEqual(left[0]);
    }
  });

  it('are listed newest first, page by page, until they expire', async () => {
    const team = await newTeam(store);
    const newestFirst: PendingInvitation[] = [];
    for (let count = 0; count < 3; count++) {
      newestFirst.unshift(await store.invitations.add(someInvitation(team)));
    }
    await store.invitations.add(someInvitation(await newTeam(store)));
    const page = (limit: number, after: number | null) =>
      store.views.invitations(team.workspaceId, someTime, { limit, after });
    const first = await page(2, null);
    expect(first).toEqual({ items: newestFirst.slice(0, 2), next: newestFirst[1]!.id });
    expect(await page(2, first.next)).toEqual({ items: newestFirst.slice(2), next: null });
    expect(await page(3, null)).toEqual({ items: newestFirst, next: null });
    const lastMoment = new Date(later(7).getTime() - 1);
    expect(await pending(team.workspaceId, lastMoment)).toHaveLength(3);
    expect(await pending(team.workspaceId, later(7))).toEqual([]);
  });

  it('are pending, and locked, in their own team, before their end', async () => {
    const { team, user, invitation, acceptWith } = await invited();
    const other = await newTeam(store);
    const isPending = async ({ workspaceId } = team, now = someTime, id = invitation.id) => {
      const isPending = await store.invitations.isPending(workspaceId, id, now);
      const locked = await store.unitOfWork.run(() => store.invitations.lock(workspaceId, id, now));
      expect(locked).toEqual(isPending ? invitation : null);
      return isPending;
    };
    expect(await isPending()).toBe(true);
    expect(await isPending(team, later(7))).toBe(false);
    expect(await isPending(other)).toBe(false);
    expect(await isPending(team, someTime, 999_999_999)).toBe(false);
    await store.invitations.end(revoke(invitation, someTime));
    expect(await isPending()).toBe(false);
    expect(await pending(team.workspaceId)).toEqual([]);
    expect(await acceptWith()).toBeNull();
    // The address can be invited again.
    await store.invitations.add(someInvitation(team, { email: user.email }));
  });

  it('are pending as long as their inviter is an admin or the owner of the team', async () => {
    const { team, invitation, hash, user } = await invited();
    const admin = await newMember(store, team, 'admin');
    await db.query('update invitations set invited_by = $1 where id = $2', [admin.userId, invitation.id]);
    const found = async () => {
      const { workspaceId } = team;
      const locked = await store.unitOfWork.run(async () => [
        await store.invitations.lock(workspaceId, invitation.id, someTime),
        await store.invitations.lockByToken(hash, user.userId, someTime),
      ]);
      const isPending = await store.invitations.isPending(workspaceId, invitation.id, someTime);
      return [isPending, (await pending(workspaceId)).length === 1, ...locked.map((each) => each !== null)];
    };
    const [all, none] = [Array(4).fill(true), Array(4).fill(false)];
    expect(await found()).toEqual(all);
    await store.members.changeRole(team.workspaceId, admin.userId, 'member');
    expect(await found()).toEqual(none);
    await store.members.changeRole(team.workspaceId, admin.userId, 'admin');
    expect(await found()).toEqual(all);
    await store.members.remove(team.workspaceId, admin.userId);
    expect(await found()).toEqual(none);
  });

  it('are revoked for an address, in one team', async () => {
    const { team, user, acceptWith } = await invited();
    const other = await newTeam(store);
    const elsewhere = await store.invitations.add(someInvitation(other, { email: user.email }));
    const another = await store.invitations.add(someInvitation(team));
    await store.invitations.revoke(team.workspaceId, { email: user.email }, someTime);
    await store.invitations.revoke(team.workspaceId, { email: someone().email }, someTime);
    expect(await pending(team.workspaceId)).toEqual([another]);
    expect(await pending(other.workspaceId)).toEqual([elsewhere]);
    expect(await acceptWith()).toBeNull();
  });

  it('can be accepted with any of the latest tokens, not with earlier tokens', async () => {
    for (const index of [0, 1, MAX_TOKENS - 1, MAX_TOKENS]) {
      const { invitation, acceptWith } = await invited();
      const newestFirst: TokenHash[] = [];
      for (let count = 0; count <= MAX_TOKENS; count++) {
        newestFirst.unshift(newHash());
        await store.invitations.addToken(invitation.id, newestFirst[0]!, someTime);
      }
      const accepted = await acceptWith({ hash: newestFirst[index]! });
      expect(accepted === null).toBe(index === MAX_TOKENS);
    }
  });

  it('take a token, and are found by it once, by the invited user, only while they are pending', async () => {
    const { team, invitation, acceptWith } = await invited();
    const late = newHash();
    const addToken = (id: number, now = someTime) => store.invitations.addToken(id, late, now);
    expect(await addToken(invitation.id, later(7))).toBeNull();
    for (const hash of [late, newHash()]) expect(await acceptWith({ hash })).toBeNull();
    const member = await newMember(store, team);
    for (const userId of [member.userId, team.owner.userId, 999_999_999]) {
      expect(await acceptWith({ userId })).toBeNull();
    }
    expect(await acceptWith({ now: later(7) })).toBeNull();
    expect(await acceptWith({ now: new Date(later(7).getTime() - 1) })).toEqual(invitation);
    expect(await acceptWith()).toBeNull();
    expect(await pending(team.workspaceId)).toEqual([]);
    for (const id of [invitation.id, 999_999_999]) expect(await addToken(id)).toBeNull();
  });
});
