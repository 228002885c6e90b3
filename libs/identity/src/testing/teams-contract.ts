import { describe, expect, it } from '@jest/globals';
import type { AccountStore, NewMember, TeamStore } from '../index.ts';
import { someone } from './accounts-contract.ts';

const now = new Date('2026-03-14T09:26:53.589Z');

/** What every adapter of `TeamStore` must do. `make` may give the same store each time. */
export function teamsContract(
  name: string,
  make: () => Promise<{ teams: TeamStore; accounts: AccountStore }>,
): void {
  describe(`teams: ${name}`, () => {
    async function cast() {
      const { teams, accounts } = await make();
      const user = async () => (await accounts.open(someone())).user.id;
      const team = async (ownerUserId: number) =>
        teams.open({ ownerUserId, plan: 'enterprise', openedAt: now });
      const member = (workspaceId: number, userId: number, addedBy: number): NewMember => ({
        workspaceId,
        userId,
        role: 'member',
        addedBy,
        joinedAt: now,
      });
      return { teams, accounts, user, team, member };
    }

    it('refuse whoever is in the team already, the owner too', async () => {
      const { teams, user, team, member } = await cast();
      const [owner, other] = [await user(), await user()];
      const home = await team(owner);
      await teams.join(member(home, other, owner));
      for (const userId of [owner, other]) {
        await expect(teams.join(member(home, userId, owner))).rejects.toMatchObject({
          code: 'already_member',
        });
      }
    });

    it('refuse who belongs to another team, as a member and as an owner', async () => {
      const { teams, user, team, member } = await cast();
      const [owner, stranger] = [await user(), await user()];
      const home = await team(owner);
      await team(stranger);
      await expect(teams.join(member(home, stranger, owner))).rejects.toMatchObject({
        code: 'in_other_team',
      });
      await expect(team(owner)).rejects.toMatchObject({ code: 'in_other_team' });
    });

    it('are not found when the team is a personal workspace, or team or user do not exist', async () => {
      const { teams, accounts, user, team, member } = await cast();
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
      const { teams, user, team, member } = await cast();
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
}
