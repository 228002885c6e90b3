import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AccountStore, NewToken, TeamStore, TokenHash, TokenStore } from '../index.ts';
import { someone } from './accounts-contract.ts';
import { texts, times } from './arbitraries.ts';

const now = new Date('2026-03-14T09:26:53.589Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const wholeList = { limit: null, after: null };

/** What every adapter of `TokenStore` must do. `make` may give the same store each time. */
export function tokensContract(
  name: string,
  make: () => Promise<{ tokens: TokenStore; accounts: AccountStore; teams: TeamStore }>,
): void {
  describe(`tokens: ${name}`, () => {
    let count = 0;
    const newHash = () => (++count).toString(16).padStart(64, '0') as TokenHash;

    async function cast() {
      const { tokens, accounts, teams } = await make();
      const { user, workspaceId } = await accounts.open(someone());
      const token = (differences: Partial<NewToken> = {}): NewToken => ({
        userId: user.id,
        name: 'test',
        hash: newHash(),
        createdAt: now,
        expiresAt: null,
        ...differences,
      });
      return { tokens, accounts, teams, userId: user.id, workspaceId, token };
    }

    it('come back as they were added', async () => {
      const { tokens, accounts } = await cast();
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
      const { tokens, userId, workspaceId, token } = await cast();
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
      const { tokens, accounts, teams, userId, token } = await cast();
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
      const { tokens } = await cast();
      expect(await tokens.authenticate(newHash(), now)).toBeNull();
    });

    it('work up to the moment of their expiry, and not at it', async () => {
      const { tokens, token } = await cast();
      const given = token({ expiresAt: later(100) });
      await tokens.add(given);
      expect(await tokens.authenticate(given.hash, later(99.999))).not.toBeNull();
      expect(await tokens.authenticate(given.hash, later(100))).toBeNull();
    });

    it('record their use, at most once a minute', async () => {
      const { tokens, userId, token } = await cast();
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
      const { tokens, userId, token } = await cast();
      const given = token({ expiresAt: later(100) });
      await tokens.add(given);
      await tokens.authenticate(given.hash, later(100));
      expect((await tokens.list(userId, wholeList)).items[0]!.lastUsedAt).toBeNull();
    });

    it('authenticate every one of many calls at once', async () => {
      const { tokens, token } = await cast();
      const given = token();
      await tokens.add(given);
      const actors = await Promise.all(
        Array.from({ length: 50 }, () => tokens.authenticate(given.hash, later(3600))),
      );
      expect(actors.every((actor) => actor !== null)).toBe(true);
    });

    it('end at once when revoked, and can be revoked once', async () => {
      const { tokens, userId, token } = await cast();
      const [kept, revoked] = [token(), token()];
      await tokens.add(kept);
      const { id } = await tokens.add(revoked);
      expect(await tokens.revoke(userId, id)).toBe(true);
      expect(await tokens.revoke(userId, id)).toBe(false);
      expect(await tokens.authenticate(revoked.hash, now)).toBeNull();
      expect(await tokens.authenticate(kept.hash, now)).not.toBeNull();
    });

    it('can not be revoked or listed by another user', async () => {
      const { tokens, accounts, token } = await cast();
      const given = token();
      const { id } = await tokens.add(given);
      const other = (await accounts.open(someone())).user.id;
      expect(await tokens.revoke(other, id)).toBe(false);
      expect((await tokens.list(other, wholeList)).items).toEqual([]);
      expect(await tokens.authenticate(given.hash, now)).not.toBeNull();
    });

    it('are listed newest first, page by page', async () => {
      const { tokens, userId, token } = await cast();
      for (const name of ['a', 'b', 'c']) await tokens.add(token({ name }));
      const first = await tokens.list(userId, { limit: 2, after: null });
      expect(first.items.map(({ name }) => name)).toEqual(['c', 'b']);
      const second = await tokens.list(userId, { limit: 2, after: first.next });
      expect(second.items.map(({ name }) => name)).toEqual(['a']);
      expect(second.next).toBeNull();
      expect(await tokens.list(userId, { limit: 3, after: null })).toMatchObject({ next: null });
    });

    it('are forgotten after their expiry when the user gets another, and other users keep theirs', async () => {
      const { tokens, accounts, userId, token } = await cast();
      const other = (await accounts.open(someone())).user.id;
      await tokens.add(token({ name: 'over', expiresAt: later(10) }));
      await tokens.add(token({ name: 'not yet', expiresAt: later(11) }));
      await tokens.add(token({ name: "another's", userId: other, expiresAt: later(10) }));
      await tokens.add(token({ name: 'new', createdAt: later(10) }));
      const names = async (of: number) => (await tokens.list(of, wholeList)).items.map(({ name }) => name);
      expect(await names(userId)).toEqual(['new', 'not yet']);
      expect(await names(other)).toEqual(["another's"]);
    });
  });
}
