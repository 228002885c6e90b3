import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Member } from '../index.ts';
import { someone, times } from '#testing/identity';
import {
  newHash,
  newMember,
  newTeam,
  newUser,
  rolesIn,
  someTime,
  wholeList,
  type TeamStores,
} from './fixtures.ts';

/** What every adapter of `MemberStore` must do. `make` may give the same store each time. */
export function membersContract(name: string, make: () => Promise<TeamStores>): void {
  describe(`members: ${name}`, () => {
    it('come back as they joined, found and listed', async () => {
      const store = await make();
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
          await store.teams.join({ workspaceId, userId: user.id, role, addedBy, joinedAt });
          const expected: Member = {
            userId: user.id,
            email: user.email,
            name,
            role,
            joinedAt,
            addedBy: team.owner.email,
            isConfirmed: false,
          };
          expect(await store.members.find(workspaceId, user.id)).toEqual(expected);
          const { items } = await store.views.members(workspaceId, wholeList);
          expect(items).toContainEqual(expected);
        }),
        { numRuns: 25 },
      );
    });

    it('begin with the owner, whom nobody added', async () => {
      const store = await make();
      const { workspaceId, owner } = await newTeam(store);
      const { items, next } = await store.views.members(workspaceId, wholeList);
      expect(items).toEqual([
        expect.objectContaining({ ...owner, role: 'owner', joinedAt: someTime, addedBy: null }),
      ]);
      expect(next).toBeNull();
    });

    it('are confirmed with their first token, and stay so without any', async () => {
      const store = await make();
      const team = await newTeam(store);
      const { userId } = await newMember(store, team);
      const isConfirmed = async () => (await store.members.find(team.workspaceId, userId))!.isConfirmed;
      expect(await isConfirmed()).toBe(false);
      const token = { userId, name: 'log-in', hash: newHash(), createdAt: someTime, expiresAt: null };
      const { id } = await store.tokens.add(token);
      expect(await isConfirmed()).toBe(true);
      await store.tokens.revoke(userId, id);
      expect(await isConfirmed()).toBe(true);
    });

    it('are listed newest first, page by page, and none of another team', async () => {
      const store = await make();
      const [team, other] = [await newTeam(store), await newTeam(store)];
      const newestFirst = [team.owner.userId];
      for (let count = 0; count < 2; count++) {
        newestFirst.unshift((await newMember(store, team)).userId);
        await newMember(store, other);
      }
      const page = async (limit: number, after: number | null) => {
        const { items, next } = await store.views.members(team.workspaceId, { limit, after });
        return { ids: items.map(({ userId }) => userId), next };
      };
      expect(await page(2, null)).toEqual({ ids: newestFirst.slice(0, 2), next: newestFirst[1] });
      expect(await page(2, newestFirst[1]!)).toEqual({ ids: newestFirst.slice(2), next: null });
      expect(await page(3, null)).toEqual({ ids: newestFirst, next: null });
    });

    it('are not there for another team, nor when unknown, nor after they were removed', async () => {
      const store = await make();
      const [team, other] = [await newTeam(store), await newTeam(store)];
      const [kept, removed] = [await newMember(store, team), await newMember(store, team)];
      await store.members.remove(team.workspaceId, removed.userId);
      for (const [workspaceId, userId] of [
        [other.workspaceId, kept.userId],
        [team.workspaceId, 999_999_999],
        [team.workspaceId, removed.userId],
      ] as const) {
        expect(await store.members.find(workspaceId, userId)).toBeNull();
        const held = await store.unitOfWork.run(() => store.members.lockRoles(workspaceId, [userId]));
        expect(held).toEqual(new Map());
        await store.members.remove(workspaceId, userId);
        await store.members.changeRole(workspaceId, userId, 'admin');
      }
      expect(await rolesIn(store, team.workspaceId)).toEqual({
        [team.owner.userId]: 'owner',
        [kept.userId]: 'member',
      });
    });

    it('who are removed act in their own workspace again, and may join another team', async () => {
      const store = await make();
      const [team, other] = [await newTeam(store), await newTeam(store)];
      const { userId } = await newMember(store, team, 'admin');
      const hash = newHash();
      await store.tokens.add({ userId, name: 'test', hash, createdAt: someTime, expiresAt: null });
      const acting = () => store.tokens.authenticate(hash, someTime);
      expect(await acting()).toMatchObject({ workspaceId: team.workspaceId, role: 'admin', isTeam: true });
      await store.members.remove(team.workspaceId, userId);
      expect(await acting()).toMatchObject({ role: 'owner', isTeam: false, plan: 'free' });
      const joining = { role: 'member', addedBy: other.owner.userId, joinedAt: someTime } as const;
      await store.teams.join({ ...joining, workspaceId: other.workspaceId, userId });
      expect(await acting()).toMatchObject({ workspaceId: other.workspaceId, role: 'member' });
    });

    it('are held by role, as many of those asked for as there are', async () => {
      const store = await make();
      const team = await newTeam(store);
      const admin = await newMember(store, team, 'admin');
      const stranger = await newUser(store);
      const held = await store.unitOfWork.run(() =>
        store.members.lockRoles(team.workspaceId, [admin.userId, stranger.userId, team.owner.userId]),
      );
      expect(held).toEqual(
        new Map([
          [admin.userId, 'admin'],
          [team.owner.userId, 'owner'],
        ]),
      );
    });

    it('change between member and admin', async () => {
      const store = await make();
      const team = await newTeam(store);
      const { userId } = await newMember(store, team);
      for (const role of ['admin', 'admin', 'member'] as const) {
        await store.members.changeRole(team.workspaceId, userId, role);
        expect((await rolesIn(store, team.workspaceId))[userId]).toBe(role);
      }
    });

    it('take over the ownership, and who had it becomes an admin', async () => {
      const store = await make();
      const team = await newTeam(store);
      const [admin, member] = [await newMember(store, team, 'admin'), await newMember(store, team)];
      const transfer = (from: number, to: number) =>
        store.unitOfWork.run(() => store.members.transferOwnership(team.workspaceId, from, to));
      await transfer(team.owner.userId, member.userId);
      expect(await rolesIn(store, team.workspaceId)).toEqual({
        [team.owner.userId]: 'admin',
        [admin.userId]: 'admin',
        [member.userId]: 'owner',
      });
      await transfer(member.userId, admin.userId);
      expect(await rolesIn(store, team.workspaceId)).toEqual({
        [team.owner.userId]: 'admin',
        [admin.userId]: 'owner',
        [member.userId]: 'admin',
      });
    });
  });
}
