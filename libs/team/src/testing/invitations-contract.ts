import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TokenHash } from '#identity';
import { emails, someone, times } from '#testing/identity';
import { KEPT_TOKENS, type Invitation } from '../index.ts';
import {
  later,
  newHash,
  newMember,
  newTeam,
  newUser,
  someInvitation,
  someTime,
  wholeList,
  type TeamStore,
} from './team-store.ts';

/** What every adapter of `Invitations` must do. `make` may give the same store each time. */
export function invitationsContract(name: string, make: () => Promise<TeamStore>): void {
  describe(`invitations: ${name}`, () => {
    const pending = async (store: TeamStore, workspaceId: number, now = someTime) =>
      (await store.invitations.list(workspaceId, now, wholeList)).items;

    /** A team, an invitation with a token, and the user that it is for. */
    async function invited() {
      const store = await make();
      const team = await newTeam(store);
      const user = await newUser(store);
      const invitation = await store.invitations.add(
        someInvitation(team, { email: user.email, role: 'admin' }),
      );
      const hash = newHash();
      await store.invitations.issueToken(invitation.id, hash, someTime);
      const answer = (
        given: { hash?: TokenHash; userId?: number; answer?: 'accepted' | 'declined'; now?: Date } = {},
      ) =>
        store.invitations.answer(
          given.hash ?? hash,
          given.userId ?? user.userId,
          given.answer ?? 'accepted',
          given.now ?? someTime,
        );
      return { store, team, user, invitation, hash, answer };
    }

    it('come back as they were added, added and listed', async () => {
      const store = await make();
      const generated = fc.record({
        email: emails,
        role: fc.constantFrom('admin' as const, 'member' as const),
        createdAt: times,
        days: fc.integer({ min: 1, max: 30 }),
      });
      await fc.assert(
        fc.asyncProperty(generated, async ({ days, ...given }) => {
          const team = await newTeam(store);
          const expiresAt = later(days, given.createdAt);
          const added = await store.invitations.add(someInvitation(team, { ...given, expiresAt }));
          const expected: Invitation = {
            ...given,
            id: added.id,
            workspaceId: team.workspaceId,
            invitedBy: team.owner.email,
            delivery: 'waiting',
            expiresAt,
          };
          expect(added).toEqual(expected);
          expect(await pending(store, team.workspaceId, given.createdAt)).toEqual([expected]);
        }),
        { numRuns: 25 },
      );
    });

    it('replace the pending one of the same address in the same team, and no other', async () => {
      const { store, team, user, invitation, hash, answer } = await invited();
      const other = await newTeam(store);
      const elsewhere = await store.invitations.add(someInvitation(other, { email: user.email }));
      const another = await store.invitations.add(someInvitation(team));
      const second = await store.invitations.add(someInvitation(team, { email: user.email }));
      expect(second.id).not.toBe(invitation.id);
      expect(await pending(store, team.workspaceId)).toEqual([second, another]);
      expect(await pending(store, other.workspaceId)).toEqual([elsewhere]);
      expect(await answer()).toBeNull();
      expect(await store.invitations.issueToken(invitation.id, hash, someTime)).toBeNull();
      await store.invitations.issueToken(second.id, newHash(), someTime);
      expect(await answer()).toBeNull();
    });

    it('leave one pending, however many are added for one address at once', async () => {
      const store = await make();
      const [team, { email }] = [await newTeam(store), someone()];
      for (let round = 0; round < 20; round++) {
        const added = await Promise.all(
          Array.from({ length: 5 }, () => store.invitations.add(someInvitation(team, { email }))),
        );
        const left = await pending(store, team.workspaceId);
        expect(left).toHaveLength(1);
        expect(added).toContainEqual(left[0]);
      }
    });

    it('are listed newest first, each once over all pages, until their time is over', async () => {
      const store = await make();
      const team = await newTeam(store);
      const newestFirst: number[] = [];
      for (let count = 0; count < 6; count++) {
        newestFirst.unshift((await store.invitations.add(someInvitation(team))).id);
      }
      await store.invitations.add(someInvitation(await newTeam(store)));
      for (const limit of [1, 4, 5, 6, 7]) {
        const seen: number[] = [];
        let after: number | null = null;
        do {
          const page: { items: readonly Invitation[]; next: number | null } = await store.invitations.list(
            team.workspaceId,
            someTime,
            { limit, after },
          );
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items.map(({ id }) => id));
          after = page.next;
        } while (after !== null);
        expect(seen).toEqual(newestFirst);
      }
      const lastMoment = new Date(later(7).getTime() - 1);
      expect(await pending(store, team.workspaceId, lastMoment)).toHaveLength(6);
      expect(await pending(store, team.workspaceId, later(7))).toEqual([]);
    });

    it('are pending in their own team, before their end', async () => {
      const { store, team, invitation, answer } = await invited();
      const other = await newTeam(store);
      const isPending = (workspaceId: number, id: number, now = someTime) =>
        store.invitations.isPending(workspaceId, id, now);
      expect(await isPending(team.workspaceId, invitation.id)).toBe(true);
      expect(await isPending(team.workspaceId, invitation.id, later(7))).toBe(false);
      expect(await isPending(other.workspaceId, invitation.id)).toBe(false);
      expect(await isPending(team.workspaceId, 999_999_999)).toBe(false);
      await answer();
      expect(await isPending(team.workspaceId, invitation.id)).toBe(false);
    });

    it('are revoked once, by their own team, while they are pending', async () => {
      const { store, team, invitation, answer } = await invited();
      const other = await newTeam(store);
      const revoke = (workspaceId: number, now = someTime) =>
        store.invitations.revoke(workspaceId, invitation.id, now);
      expect(await revoke(other.workspaceId)).toBe(false);
      expect(await revoke(team.workspaceId, later(7))).toBe(false);
      expect(await revoke(team.workspaceId)).toBe(true);
      expect(await revoke(team.workspaceId)).toBe(false);
      expect(await pending(store, team.workspaceId)).toEqual([]);
      expect(await answer()).toBeNull();
      const { id } = await store.invitations.add(someInvitation(team));
      expect(await store.invitations.revoke(team.workspaceId, id, someTime)).toBe(true);
    });

    it('are revoked for an address, in one team', async () => {
      const { store, team, user, answer } = await invited();
      const other = await newTeam(store);
      const elsewhere = await store.invitations.add(someInvitation(other, { email: user.email }));
      const another = await store.invitations.add(someInvitation(team));
      await store.invitations.revokeFor(team.workspaceId, user.email, someTime);
      await store.invitations.revokeFor(team.workspaceId, someone().email, someTime);
      expect(await pending(store, team.workspaceId)).toEqual([another]);
      expect(await pending(store, other.workspaceId)).toEqual([elsewhere]);
      expect(await answer()).toBeNull();
    });

    it('tell what their mail has to say', async () => {
      const store = await make();
      const team = await newTeam(store);
      const { user: inviter } = await store.accounts.open(someone({ name: 'Ada' }));
      const { workspaceId, owner } = team;
      const joining = { role: 'admin', addedBy: owner.userId, joinedAt: someTime } as const;
      await store.teams.join({ ...joining, workspaceId, userId: inviter.id });
      const given = someInvitation(team, { invitedBy: inviter.id, role: 'admin' });
      const { id } = await store.invitations.add(given);
      expect(await store.invitations.issueToken(id, newHash(), someTime)).toEqual({
        email: given.email,
        role: 'admin',
        inviter: { email: inviter.email, name: 'Ada' },
        owner: owner.email,
        expiresAt: given.expiresAt,
      });
    });

    it('take a token only while they are pending', async () => {
      const { store, invitation, answer } = await invited();
      const late = newHash();
      expect(await store.invitations.issueToken(invitation.id, late, later(7))).toBeNull();
      expect(await answer({ hash: late })).toBeNull();
      await answer();
      expect(await store.invitations.issueToken(invitation.id, late, someTime)).toBeNull();
      expect(await store.invitations.issueToken(999_999_999, late, someTime)).toBeNull();
    });

    it('are answered with any of the latest tokens, and not with those before', async () => {
      for (const index of [0, 1, KEPT_TOKENS - 1, KEPT_TOKENS]) {
        const { store, invitation, answer } = await invited();
        const newestFirst: TokenHash[] = [];
        for (let count = 0; count <= KEPT_TOKENS; count++) {
          newestFirst.unshift(newHash());
          await store.invitations.issueToken(invitation.id, newestFirst[0]!, someTime);
        }
        const answered = await answer({ hash: newestFirst[index]! });
        expect(answered === null).toBe(index === KEPT_TOKENS);
      }
    });

    it('remember what became of their mail', async () => {
      const { store, team, invitation } = await invited();
      for (const delivery of ['sent', 'refused'] as const) {
        await store.invitations.recordDelivery(invitation.id, delivery);
        expect(await pending(store, team.workspaceId)).toEqual([{ ...invitation, delivery }]);
      }
    });

    it('are answered once, by whom they are for, while they are pending', async () => {
      for (const given of ['accepted', 'declined'] as const) {
        const { store, team, answer } = await invited();
        const member = await newMember(store, team);
        expect(await answer({ hash: newHash() })).toBeNull();
        expect(await answer({ userId: member.userId })).toBeNull();
        expect(await answer({ userId: team.owner.userId })).toBeNull();
        expect(await answer({ userId: 999_999_999 })).toBeNull();
        expect(await answer({ now: later(7) })).toBeNull();
        expect(await answer({ answer: given, now: new Date(later(7).getTime() - 1) })).toEqual({
          workspaceId: team.workspaceId,
          role: 'admin',
          invitedBy: team.owner.userId,
          owner: team.owner.email,
        });
        expect(await answer({ answer: given })).toBeNull();
        expect(await pending(store, team.workspaceId)).toEqual([]);
      }
    });

    it('end once, however many answer, revoke and replace them at once', async () => {
      for (let round = 0; round < 20; round++) {
        const { store, team, user, invitation, answer } = await invited();
        const ends = await Promise.all([
          answer({ answer: 'accepted' }),
          answer({ answer: 'declined' }),
          store.invitations.revoke(team.workspaceId, invitation.id, someTime),
          answer({ answer: 'accepted' }),
          store.invitations.revokeFor(team.workspaceId, user.email, someTime),
        ]);
        expect(ends.filter(Boolean).length).toBeLessThanOrEqual(1);
        expect(await pending(store, team.workspaceId)).toEqual([]);
      }
    });
  });
}
