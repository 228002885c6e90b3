import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TokenHash } from '#identity';
import { emails, someone, times } from '#testing/identity';
import { rounds } from '../../../../test/support/rounds.ts';
import { accept, KEPT_TOKENS, revoke, type PendingInvitation } from '../index.ts';
import {
  later,
  newHash,
  newMember,
  newTeam,
  newUser,
  someInvitation,
  someTime,
  wholeList,
  type TeamStores,
} from './fixtures.ts';

/** What every adapter of `InvitationStore` must do. `make` may give the same store each time. */
export function invitationsContract(name: string, make: () => Promise<TeamStores>): void {
  describe(`invitations: ${name}`, () => {
    const pending = async (store: TeamStores, workspaceId: number, now = someTime) =>
      (await store.views.invitations(workspaceId, now, wholeList)).items;

    /** A team, an invitation with a token, and the user that it is for. */
    async function invited() {
      const store = await make();
      const team = await newTeam(store);
      const user = await newUser(store);
      const invitation = await store.invitations.add(
        someInvitation(team, { email: user.email, role: 'admin' }),
      );
      const hash = newHash();
      await store.invitations.addToken(invitation.id, hash, someTime);
      /** Ends the invitation that the token finds, as `Invitations.respond` does. */
      const answer = (given: { hash?: TokenHash; userId?: number; now?: Date } = {}) =>
        store.unitOfWork.run(async () => {
          const now = given.now ?? someTime;
          const found = await store.invitations.lockByToken(
            given.hash ?? hash,
            given.userId ?? user.userId,
            now,
          );
          if (found) await store.invitations.end(accept(found, now));
          return found;
        });
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
          const { owner } = team;
          const expected: PendingInvitation = {
            ...given,
            state: 'pending',
            id: added.id,
            workspaceId: team.workspaceId,
            inviter: { ...owner, name: 'Someone' },
            owner: owner.email,
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
      expect(await store.invitations.addToken(invitation.id, hash, someTime)).toBeNull();
      await store.invitations.addToken(second.id, newHash(), someTime);
      expect(await answer()).toBeNull();
    });

    it('leave one pending, however many are added for one address at once', async () => {
      const store = await make();
      const [team, { email }] = [await newTeam(store), someone()];
      for (let round = 0; round < rounds(); round++) {
        const added = await Promise.all(
          Array.from({ length: 5 }, () => store.invitations.add(someInvitation(team, { email }))),
        );
        const left = await pending(store, team.workspaceId);
        expect(left).toHaveLength(1);
        expect(added).toContainEqual(left[0]);
      }
    });

    it('are listed newest first, page by page, until they expire', async () => {
      const store = await make();
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
      expect(await pending(store, team.workspaceId, lastMoment)).toHaveLength(3);
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

    it('are locked by their own team, while they are pending', async () => {
      const { store, team, user, invitation, answer } = await invited();
      const other = await newTeam(store);
      const lock = (workspaceId: number, now = someTime) =>
        store.unitOfWork.run(() => store.invitations.lock(workspaceId, invitation.id, now));
      expect(await lock(other.workspaceId)).toBeNull();
      expect(await lock(team.workspaceId, later(7))).toBeNull();
      expect(await lock(team.workspaceId)).toEqual(invitation);
      await store.invitations.end(revoke(invitation, someTime));
      expect(await lock(team.workspaceId)).toBeNull();
      expect(await pending(store, team.workspaceId)).toEqual([]);
      expect(await answer()).toBeNull();
      // The address can be invited again.
      await store.invitations.add(someInvitation(team, { email: user.email }));
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

    it('come back with their inviter and the owner when a token is added', async () => {
      const store = await make();
      const team = await newTeam(store);
      const inviter = await newMember(store, team, 'admin');
      const added = await store.invitations.add(someInvitation(team, { invitedBy: inviter.userId }));
      expect(added).toMatchObject({ inviter, owner: team.owner.email });
      expect(await store.invitations.addToken(added.id, newHash(), someTime)).toEqual(added);
    });

    it('take a token only while they are pending', async () => {
      const { store, invitation, answer } = await invited();
      const late = newHash();
      expect(await store.invitations.addToken(invitation.id, late, later(7))).toBeNull();
      expect(await answer({ hash: late })).toBeNull();
      await answer();
      expect(await store.invitations.addToken(invitation.id, late, someTime)).toBeNull();
      expect(await store.invitations.addToken(999_999_999, late, someTime)).toBeNull();
    });

    it('are answered with any of the latest tokens, and not with those before', async () => {
      for (const index of [0, 1, KEPT_TOKENS - 1, KEPT_TOKENS]) {
        const { store, invitation, answer } = await invited();
        const newestFirst: TokenHash[] = [];
        for (let count = 0; count <= KEPT_TOKENS; count++) {
          newestFirst.unshift(newHash());
          await store.invitations.addToken(invitation.id, newestFirst[0]!, someTime);
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

    it('are found once by their token, by the invited user, while they are pending', async () => {
      const { store, team, invitation, answer } = await invited();
      const member = await newMember(store, team);
      expect(await answer({ hash: newHash() })).toBeNull();
      for (const userId of [member.userId, team.owner.userId, 999_999_999]) {
        expect(await answer({ userId })).toBeNull();
      }
      expect(await answer({ now: later(7) })).toBeNull();
      expect(await answer({ now: new Date(later(7).getTime() - 1) })).toEqual(invitation);
      expect(await answer()).toBeNull();
      expect(await pending(store, team.workspaceId)).toEqual([]);
    });

    it('end once, however many answer, revoke and replace them at once', async () => {
      for (let round = 0; round < rounds(); round++) {
        const { store, team, user, invitation, answer } = await invited();
        const { workspaceId } = team;
        const ends = await Promise.all([
          answer(),
          answer(),
          store.unitOfWork.run(async () => {
            const found = await store.invitations.lock(workspaceId, invitation.id, someTime);
            if (found) await store.invitations.end(revoke(found, someTime));
            return found;
          }),
          store.invitations.revokeFor(workspaceId, user.email, someTime),
        ]);
        expect(ends.filter(Boolean).length).toBeLessThanOrEqual(1);
        expect(await pending(store, workspaceId)).toEqual([]);
      }
    });
  });
}
